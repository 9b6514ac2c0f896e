// Yokai no Mori in nine lessons: the four spirits of the small board, drops, promotion, and the two ways to win.
import type { Lesson } from "../types";

export const yokai: Lesson[] = [
  {
    id: "kodama", game: "yokai34",
    title: { en: "The Kodama", fr: "Le Kodama" },
    text: { en: "A tile points where its owner goes, and its dots show the steps it may make. The Kodama, a tree spirit, steps straight forward only. What stands on its target is taken.", fr: "Une tuile pointe dans le sens de son propriétaire, et ses points montrent les pas permis. Le Kodama, esprit des arbres, avance seulement tout droit. Ce qui se trouve sur la case d'arrivée est pris." },
    task: { en: "Take the other Kodama.", fr: "Prenez l'autre Kodama." },
    goal: { kind: "moves", steps: [{ accept: ["b2b3"] }] }, show: "b2b3",
    after: { en: "It lies in your hand now.", fr: "Il est maintenant dans votre main." },
  },
  {
    id: "kitsune", game: "yokai34",
    title: { en: "The Kitsune", fr: "Le Kitsune" },
    text: { en: "The Kitsune, a fox, steps diagonally, one square.", fr: "Le Kitsune, un renard, fait un pas en diagonale." },
    task: { en: "Take the Kodama with the Kitsune.", fr: "Prenez le Kodama avec le Kitsune." },
    setup: { position: "1l1/1c1/E2/1LG[-] w 0 1" }, goal: { kind: "moves", steps: [{ accept: ["a2b3"] }] }, show: "a2b3",
  },
  {
    id: "tanuki", game: "yokai34",
    title: { en: "The Tanuki", fr: "Le Tanuki" },
    text: { en: "The Tanuki, a raccoon dog, steps straight: forward, back or sideways.", fr: "Le Tanuki, un chien viverrin, fait un pas tout droit : en avant, en arrière ou de côté." },
    task: { en: "Take the Kitsune with the Tanuki.", fr: "Prenez le Kitsune avec le Tanuki." },
    setup: { position: "1l1/3/e1G/EL1[-] w 0 1" }, goal: { kind: "moves", steps: [{ accept: ["c2b2"], reply: ["b4c4", "b4a4"] }, { accept: ["b2a2"] }] }, show: "c2b2",
  },
  {
    id: "king", game: "yokai34",
    title: { en: "The Koropokkuru", fr: "Le Koropokkuru" },
    text: { en: "The Koropokkuru under his leaf is the king: he steps one square in every direction. Who takes the other's Koropokkuru wins. There is no word for check: look after him yourself.", fr: "Le Koropokkuru, sous sa feuille, est le roi : il fait un pas dans toutes les directions. Qui prend le Koropokkuru adverse gagne. Personne n'annonce l'échec : veillez sur lui." },
    task: { en: "Take the Koropokkuru and win.", fr: "Prenez le Koropokkuru et gagnez." },
    setup: { position: "1l1/1G1/3/1L1[-] w 0 1" }, goal: { kind: "outcome", winner: "first" }, show: "b3b4",
  },
  {
    id: "drop", game: "yokai34",
    title: { en: "Out of the hand", fr: "Depuis la main" },
    text: { en: "What you have taken is yours: instead of a step you may put a piece from your hand onto any empty square.", fr: "Ce que vous avez pris est à vous : au lieu d'un pas, vous pouvez poser une pièce de votre main sur n'importe quelle case vide." },
    task: { en: "Pick the Kodama below the board and put it before the Koropokkuru, so that it attacks him.", fr: "Prenez le Kodama sous le plateau et posez-le devant le Koropokkuru pour l'attaquer." },
    setup: { position: "1l1/3/3/1L1[C] w 0 1" }, goal: { kind: "moves", steps: [{ accept: ["C@b3"] }] }, show: "C@b3",
  },
  {
    id: "promotion", game: "yokai34",
    title: { en: "The Kodama becomes a samurai", fr: "Le Kodama devient samouraï" },
    text: { en: "A Kodama that steps onto the last row is turned over: it becomes a samurai, who steps in six directions. One that is dropped there stays a Kodama. A samurai that is taken is a Kodama again.", fr: "Un Kodama qui avance sur la dernière rangée se retourne : il devient samouraï et marche dans six directions. Posé là depuis la main, il reste Kodama. Un samouraï pris redevient Kodama." },
    task: { en: "Promote the Kodama.", fr: "Promouvez le Kodama." },
    setup: { position: "2l/C2/3/1L1[-] w 0 1" }, goal: { kind: "moves", steps: [{ accept: ["a3a4*"] }] }, show: "a3a4",
  },
  {
    id: "row", game: "yokai34",
    title: { en: "The last row", fr: "La dernière rangée" },
    text: { en: "There is a second way to win: bring your Koropokkuru to the last row, where he cannot be taken next.", fr: "Il y a une seconde façon de gagner : amener votre Koropokkuru sur la dernière rangée, là où il ne peut pas être pris au coup suivant." },
    task: { en: "Walk home safely.", fr: "Entrez sans danger." },
    setup: { position: "g2/1L1/2l/3[-] w 0 1" }, goal: { kind: "outcome", winner: "first" }, show: "b3c4",
    after: { en: "B4 and a4 would have been guarded by the Tanuki.", fr: "B4 et a4 étaient gardés par le Tanuki." },
  },
  {
    id: "large", game: "yokai56",
    title: { en: "The large board", fr: "Le grand plateau" },
    text: { en: "On the large board there are Oni (they step forward and diagonally back) and Kirin. Kodama and Oni promote on the last two rows; the last row wins nothing there: only the Koropokkuru counts.", fr: "Sur le grand plateau, il y a des Oni (un pas vers l'avant ou en diagonale arrière) et des Kirin. Kodama et Oni sont promus sur les deux dernières rangées ; la dernière rangée n'y fait rien gagner : seul compte le Koropokkuru." },
    task: { en: "Open the game by taking a Kodama.", fr: "Ouvrez la partie en prenant un Kodama." },
    goal: { kind: "moves", steps: [{ accept: ["b3b4", "c3c4", "d3d4"] }] }, show: "c3c4",
  },
  {
    id: "game", game: "yokai34",
    title: { en: "A whole game", fr: "Une partie entière" },
    text: { en: "Games on the small board are short and sharp. Before each move ask: can my Koropokkuru be taken?", fr: "Sur le petit plateau, les parties sont courtes et vives. Avant chaque coup, demandez-vous : peut-on prendre mon Koropokkuru ?" },
    task: { en: "Win against the weakest machine.", fr: "Gagnez contre la machine la plus faible." },
    goal: { kind: "win" },
  },
];
