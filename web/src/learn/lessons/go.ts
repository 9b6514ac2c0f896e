// Go in ten lessons: from one stone to a whole game on the small board.
import { goRows, type Lesson } from "../types";

export const go: Lesson[] = [
  {
    id: "stone", game: "go5",
    title: { en: "A stone on a crossing", fr: "Une pierre sur une intersection" },
    text: {
      en: "Two players, Black and White, take turns. A turn is one stone on an empty crossing of lines. Stones never move again.\n\nBlack begins. You are Black.",
      fr: "Deux joueurs, Noir et Blanc, jouent à tour de rôle. Un coup, c'est une pierre sur une intersection libre. Les pierres ne bougent plus ensuite.\n\nNoir commence. Vous êtes Noir.",
    },
    task: { en: "Put a stone anywhere.", fr: "Posez une pierre où vous voulez." },
    goal: { kind: "moves", steps: [{ accept: ["*"] }] }, show: "C3",
    after: { en: "The middle of the board has a name: tengen, the origin of heaven.", fr: "Le centre du plateau a un nom : tengen, l'origine du ciel." },
  },
  {
    id: "capture", game: "go5",
    title: { en: "Liberties and capture", fr: "Libertés et capture" },
    text: {
      en: "The empty points beside a stone are its liberties. A stone without liberties is taken off the board.\n\nThe white stone has one liberty left: it is in atari.",
      fr: "Les points vides à côté d'une pierre sont ses libertés. Une pierre sans liberté est retirée du plateau.\n\nIl reste une liberté à la pierre blanche : elle est en atari.",
    },
    task: { en: "Take the white stone.", fr: "Capturez la pierre blanche." },
    setup: { position: goRows([".....", "..X..", ".XOX.", ".....", "....."]) },
    goal: { kind: "moves", steps: [{ accept: ["C2"] }] }, marks: ["C2"], show: "C2",
  },
  {
    id: "escape", game: "go5",
    title: { en: "Running from atari", fr: "Sortir d'atari" },
    text: {
      en: "Stones of one colour that touch along the lines form a group and share their liberties. A stone in atari can run by growing.",
      fr: "Des pierres d'une couleur qui se touchent le long des lignes forment un groupe et partagent leurs libertés. Une pierre en atari peut fuir en s'allongeant.",
    },
    task: { en: "Save the black stone.", fr: "Sauvez la pierre noire." },
    setup: { position: goRows([".....", "..O..", ".OXO.", ".....", "....."]) },
    goal: { kind: "moves", steps: [{ accept: ["C2"] }] }, show: "C2",
    after: { en: "One liberty has become three.", fr: "Une liberté est devenue trois." },
  },
  {
    id: "group", game: "go5",
    title: { en: "A group is taken whole", fr: "Un groupe se prend en entier" },
    text: {
      en: "A group lives and dies as one. When its last liberty is filled, all its stones go.",
      fr: "Un groupe vit et meurt d'un bloc. Quand sa dernière liberté est occupée, toutes ses pierres partent.",
    },
    task: { en: "Take both white stones.", fr: "Capturez les deux pierres blanches." },
    setup: { position: goRows([".....", "..XX.", ".XOOX", "..X..", "....."]) },
    goal: { kind: "capture", count: 2, within: 1, reply: ["pass"] }, show: "D2",
  },
  {
    id: "inside", game: "go5",
    title: { en: "Where one may not play", fr: "Là où l'on ne peut pas jouer" },
    text: {
      en: "A stone that would have no liberty may not be put down, unless it takes something: then there is room again.",
      fr: "Une pierre qui n'aurait aucune liberté ne peut pas être posée, sauf si elle capture : alors il y a de nouveau de la place.",
    },
    task: { en: "Black has no liberty in the corner. Play there all the same.", fr: "Dans le coin, Noir n'a pas de liberté. Jouez-y quand même." },
    setup: { position: goRows([".....", ".....", "X....", "OX...", ".OX.."]) },
    goal: { kind: "capture", count: 2, within: 1, reply: ["pass"] }, show: "A1",
  },
  {
    id: "ko", game: "go5",
    title: { en: "Ko", fr: "Le ko" },
    text: {
      en: "White has just taken a stone at C3. If Black took back at once, and White again, the game would never end. So a move must not bring back an earlier position: play elsewhere first. This is called ko.",
      fr: "Blanc vient de prendre une pierre en C3. Si Noir reprenait aussitôt, puis Blanc, la partie ne finirait jamais. Un coup ne doit donc pas ramener une position antérieure : jouez d'abord ailleurs. C'est le ko.",
    },
    task: { en: "Try C3, then play elsewhere, then take back.", fr: "Essayez C3, puis jouez ailleurs, puis reprenez." },
    setup: { position: goRows([".....", ".XO..", "XO.O.", ".XO..", "....."], { ko: "C3", taken: [0, 1] }) },
    goal: { kind: "moves", steps: [{ accept: ["*"], reply: ["E5", "E1", "A5"] }, { accept: ["C3"] }] }, show: "A1",
  },
  {
    id: "eyes", game: "go7",
    title: { en: "Two eyes live", fr: "Deux yeux font vivre" },
    text: {
      en: "A group with two separate empty points inside can never be taken: White cannot fill both at once. Such points are eyes.\n\nBlack is surrounded and has room for three points.",
      fr: "Un groupe qui a deux points vides séparés à l'intérieur ne peut jamais être pris : Blanc ne peut pas occuper les deux à la fois. Ces points sont des yeux.\n\nNoir est encerclé et il lui reste trois points.",
    },
    task: { en: "Make two eyes.", fr: "Faites deux yeux." },
    setup: { position: goRows([".......", ".......", ".......", ".......", "OOOOO..", "XXXXXO.", "X...XO."]) },
    goal: { kind: "moves", steps: [{ accept: ["C1"] }] }, show: "C1",
    after: { en: "B1 and D1 are eyes now. The group lives for ever.", fr: "B1 et D1 sont maintenant des yeux. Le groupe vit pour toujours." },
  },
  {
    id: "nakade", game: "go7",
    title: { en: "The vital point", fr: "Le point vital" },
    text: {
      en: "What saves one side kills for the other. The point from which a group could make two eyes is its vital point; a stone there is called nakade.",
      fr: "Ce qui sauve l'un tue pour l'autre. Le point qui permettrait au groupe de faire deux yeux est son point vital ; une pierre posée là s'appelle nakade.",
    },
    task: { en: "Kill the white group.", fr: "Tuez le groupe blanc." },
    setup: { position: goRows([".......", ".......", ".......", ".......", "XXXXX..", "OOOOOX.", "O...OX."]) },
    goal: { kind: "moves", steps: [{ accept: ["C1"], reply: ["B1", "D1"] }, { accept: ["D1", "B1"] }] }, show: "C1",
  },
  {
    id: "end", game: "go5",
    title: { en: "The end of the game", fr: "La fin de la partie" },
    text: {
      en: "When nobody can gain anything any more, both pass. By Chinese rules each side counts its stones and the empty points it surrounds; White gets some points more for moving second (komi).\n\nHere the border is closed: ten points and five stones for Black, five and five for White.",
      fr: "Quand plus personne ne peut rien gagner, chacun passe. En règle chinoise, on compte ses pierres et les points vides que l'on entoure ; Blanc reçoit quelques points parce qu'il joue en second (komi).\n\nIci la frontière est fermée : dix points et cinq pierres pour Noir, cinq et cinq pour Blanc.",
    },
    task: { en: "Pass.", fr: "Passez." },
    setup: { position: goRows(["..XO.", "..XO.", "..XO.", "..XO.", "..XO."]) },
    goal: { kind: "moves", steps: [{ accept: ["pass"], reply: ["pass"] }] }, show: "pass",
    after: { en: "Both have passed: the game is counted.", fr: "Les deux ont passé : on compte." },
  },
  {
    id: "game", game: "go5",
    title: { en: "A whole game", fr: "Une partie entière" },
    text: {
      en: "You know all the rules. Take the middle of a small board, keep your stones together, and make sure of two eyes.",
      fr: "Vous connaissez toutes les règles. Prenez le centre d'un petit plateau, gardez vos pierres ensemble et assurez-vous deux yeux.",
    },
    task: { en: "Win against the weakest machine.", fr: "Gagnez contre la machine la plus faible." },
    goal: { kind: "win" },
  },
];
