// Every word of the app in English. French has the same keys: the compiler says which one is missing.
export const en = {
  board: {
    role: "game board",
    hand: "Pieces in hand",
    inHand: (shape: string, count: number) => `${shape} in hand, ${count}`,
    stepBack: "Take the step back",
    choose: "Which move?",
    empty: "empty",
    ofSide: { first: "of the first side", second: "of the second side" },
    movable: "can be moved",
    playable: "can be played",
    asText: "The board as text",
    typeMove: "Type a move",
    playIt: "Play it",
    ofGoal: (score: number, goal: number) => `${score} of ${goal}`,
    die: "die",
    dieShows: (face: number) => `the die shows ${face}`,
    bare: { roll: "Roll", hold: "Hold" } as Record<string, string>,
  },
  shapes: {} as Record<string, string>,
  sides: {} as Record<string, string>,
};
export type Words = typeof en;
