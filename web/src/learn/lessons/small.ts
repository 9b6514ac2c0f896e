// The lessons of the smaller games: Othello, Connect Four, tic-tac-toe, backgammon, Pig.
import type { Lesson } from "../types";

const WIN = {
  title: { en: "A whole game", fr: "Une partie entière" },
  task: { en: "Win against the weakest machine.", fr: "Gagnez contre la machine la plus faible." },
  goal: { kind: "win" as const },
};

export const othello: Lesson[] = [
  {
    id: "turn", game: "othello",
    title: { en: "Turning discs", fr: "Retourner les pions" },
    text: { en: "A disc may be put where it shuts in discs of the other colour between itself and another disc of yours, in a straight line. All that are shut in are turned over.", fr: "On pose un pion là où il enferme des pions adverses entre lui et un autre des vôtres, en ligne droite. Tous ceux qui sont enfermés se retournent." },
    task: { en: "Put a black disc.", fr: "Posez un pion noir." },
    goal: { kind: "moves", steps: [{ accept: ["*"] }] }, show: "d3",
  },
  {
    id: "corner", game: "othello",
    title: { en: "Corners", fr: "Les coins" },
    text: { en: "A disc in a corner can never be turned again. Corners are worth a lot, and so the squares beside them are dangerous: they give the corner away.", fr: "Un pion dans un coin ne peut plus jamais être retourné. Les coins valent cher, et les cases voisines sont dangereuses : elles livrent le coin." },
    task: { en: "Take a corner.", fr: "Prenez un coin." },
    setup: { position: "-OOX------OX--------OX----OOOXX----OXX-----OX------------------- X" }, goal: { kind: "moves", steps: [{ accept: ["a1", "h1", "a8", "h8"] }] }, show: "a1",
  },
  { id: "game", game: "othello", text: { en: "Few discs and many possible moves are better than many discs early on. A side that cannot move passes. In the end the larger number wins.", fr: "Peu de pions et beaucoup de coups possibles valent mieux, au début, que beaucoup de pions. Qui ne peut jouer passe. À la fin, le plus grand nombre gagne." }, ...WIN },
];

export const connect4: Lesson[] = [
  {
    id: "four", game: "connect4",
    title: { en: "Four in a row", fr: "Quatre à la suite" },
    text: { en: "Discs fall to the lowest free place of a column. Four of one colour in a row win: upright, level or slanting.", fr: "Les jetons tombent à la place libre la plus basse d'une colonne. Quatre d'une couleur alignés gagnent : debout, couchés ou en diagonale." },
    task: { en: "Complete your four.", fr: "Complétez votre alignement." },
    setup: { position: "445566" }, goal: { kind: "outcome", winner: "first" }, show: "7",
  },
  {
    id: "defend", game: "connect4",
    title: { en: "Seeing the threat", fr: "Voir la menace" },
    text: { en: "Three of the other's discs with room for a fourth must be stopped at once.", fr: "Trois jetons adverses avec la place d'un quatrième doivent être arrêtés tout de suite." },
    task: { en: "Stop Red.", fr: "Arrêtez Rouge." },
    setup: { position: "142637" }, goal: { kind: "moves", steps: [{ accept: ["5"] }] }, show: "5",
  },
  {
    id: "double", game: "connect4",
    title: { en: "Two threats at once", fr: "Deux menaces à la fois" },
    text: { en: "Who threatens two fours at once wins, since only one can be stopped.", fr: "Qui menace deux alignements à la fois gagne, car on ne peut en parer qu'un." },
    task: { en: "Make three in a row with both ends open, then win.", fr: "Faites un trois ouvert des deux côtés, puis gagnez." },
    setup: { position: "3344" }, goal: { kind: "outcome", winner: "first", replies: [["6", "2"]] }, show: "5",
  },
  { id: "game", game: "connect4", text: { en: "The middle column belongs to most fours: begin there.", fr: "La colonne du milieu sert au plus grand nombre d'alignements : commencez là." }, ...WIN },
];

export const tictactoe: Lesson[] = [
  {
    id: "three", game: "tictactoe",
    title: { en: "Three in a row", fr: "Trois à la suite" },
    text: { en: "Cross and ring take turns. Three in a row win.", fr: "La croix et le rond jouent à tour de rôle. Trois alignés gagnent." },
    task: { en: "Win with the crosses.", fr: "Gagnez avec les croix." },
    setup: { position: "X.O/.X./O.. " }, goal: { kind: "outcome", winner: "first" }, show: "c1",
  },
  {
    id: "fork", game: "tictactoe",
    title: { en: "The fork", fr: "La fourchette" },
    text: { en: "With two open twos at once nobody can stop you. With good play on both sides it is always a draw.", fr: "Avec deux alignements ouverts à la fois, rien ne vous arrête. Si les deux jouent bien, c'est toujours nulle." },
    task: { en: "Make two threats at once, then win.", fr: "Créez deux menaces à la fois, puis gagnez." },
    setup: { position: "X../.O./..X" }, moves: ["a1"], goal: { kind: "outcome", winner: "first", replies: [["b3", "c2"]] }, show: "c3",
  },
];

export const backgammon: Lesson[] = [
  {
    id: "race", game: "backgammon",
    title: { en: "Two dice, two steps", fr: "Deux dés, deux pas" },
    text: { en: "Your checkers walk from high points to low ones, towards your home at the lower right. Each die moves one checker so far; the same number twice counts four times. A point with two checkers of the other side is closed.", fr: "Vos pions vont des points élevés vers les petits, vers votre jan intérieur en bas à droite. Chaque dé déplace un pion d'autant ; un double compte quatre fois. Un point tenu par deux pions adverses est fermé." },
    task: { en: "You have 3 and 1. Make your five-point: 8/5 and 6/5.", fr: "Vous avez 3 et 1. Faites votre point 5 : 8/5 et 6/5." },
    setup: { position: "X2....O5/.O3...X5/O5...X3./X5....O2 bar 0 0 off 0 0 first 31" }, goal: { kind: "moves", steps: [{ accept: ["8/5 6/5"] }] }, show: "8/5 6/5",
  },
  {
    id: "hit", game: "backgammon",
    title: { en: "Hitting", fr: "Frapper" },
    text: { en: "A lone checker can be hit: it goes to the bar and has to come in again at the other end before anything else may move.", fr: "Un pion seul peut être frappé : il va sur la barre et doit rentrer à l'autre bout avant tout autre mouvement." },
    task: { en: "Hit the lone black checker on point 4.", fr: "Frappez le pion noir isolé sur le point 4." },
    setup: { position: "X2....O4/.O3...X5/O5...X3./X5.O1..O2 bar 0 0 off 0 0 first 42" }, goal: { kind: "moves", steps: [{ accept: ["*6/4", "8/4 *", "* 8/4"] }] }, show: "8/4 6/4",
  },
  {
    id: "off", game: "backgammon",
    title: { en: "Bearing off", fr: "Sortir les pions" },
    text: { en: "When all fifteen are at home, checkers may leave the board. Who has all off first wins.", fr: "Quand les quinze sont à la maison, on peut sortir des pions. Qui a tout sorti le premier gagne." },
    task: { en: "Take your last two checkers off.", fr: "Sortez vos deux derniers pions." },
    setup: { position: "O2...../....../....../..X1..X1 bar 0 0 off 13 13 first 41" }, goal: { kind: "outcome", winner: "first" }, show: "4/off 1/off",
  },
  { id: "game", game: "backgammon", text: { en: "Make points side by side, hit when it is safe, and run when you are ahead.", fr: "Faites des points voisins, frappez quand c'est sûr, et courez quand vous êtes devant." }, ...WIN },
];

export const pig: Lesson[] = [
  {
    id: "roll", game: "pig",
    title: { en: "Roll or hold", fr: "Lancer ou garder" },
    text: { en: "Roll as often as you like and add up. A one takes everything you rolled this turn. Hold, and the sum is yours. The first with a hundred wins.", fr: "Lancez autant que vous voulez et additionnez. Un 1 vous fait perdre tout ce tour. Gardez, et la somme est à vous. Le premier à cent gagne." },
    task: { en: "You have rolled 21 this turn. Hold.", fr: "Vous avez fait 21 ce tour-ci. Gardez." },
    setup: { position: "30 44 21 first" }, goal: { kind: "moves", steps: [{ accept: ["hold"] }] }, show: "hold",
    after: { en: "Holding at about twenty is a good rule; the best play depends on both scores.", fr: "Garder vers vingt est une bonne règle ; le meilleur jeu dépend des deux scores." },
  },
  {
    id: "win", game: "pig",
    title: { en: "A hundred", fr: "Cent" },
    text: { en: "Only what is held counts.", fr: "Seul compte ce qui est gardé." },
    task: { en: "Win.", fr: "Gagnez." },
    setup: { position: "84 97 16 first" }, goal: { kind: "outcome", winner: "first" }, show: "hold",
  },
  { id: "game", game: "pig", text: { en: "The nearer the other is to a hundred, the more you have to risk.", fr: "Plus l'autre approche de cent, plus il faut risquer." }, ...WIN },
];
