// All lessons, by family of games.
import type { Lesson } from "../types";
import { chess } from "./chess";
import { go } from "./go";
import { backgammon, connect4, othello, pig, tictactoe } from "./small";
import { yokai } from "./yokai";

export const LESSONS: Record<string, Lesson[]> = { go, chess, yokai, othello, connect4, backgammon, tictactoe, pig };
