// Lists, single positions and files: everything that is asked over plain HTTP. Errors are refusals with the server's reason.
import { Refusal } from "./connection";
import type { Edit, Explain, Frame, GameInfo, Import, LibraryPage, LibraryRecord, Line, NewTable, Opened, Run, RunInfo, Solved, Trouble, View } from "./messages";

async function fetched(path: string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new Refusal("offline", "no connection");
  }
  if (response.ok) return response;
  const trouble = (await response.json().catch(() => null)) as Trouble | null;
  throw new Refusal(trouble?.code ?? "failed", trouble?.text ?? `${response.status} ${response.statusText}`);
}

const get = async <T>(path: string): Promise<T> => (await fetched(path)).json() as Promise<T>;
const post = async <T>(path: string, body: unknown): Promise<T> =>
  (await fetched(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })).json() as Promise<T>;

let gameList: Promise<GameInfo[]> | null = null;

/** All games, asked for once. */
export function games(): Promise<GameInfo[]> {
  gameList ??= get<GameInfo[]>("/api/games").catch((error: unknown) => {
    gameList = null;
    throw error;
  });
  return gameList;
}

export const demo = (game: string) => get<Frame[]>(`/api/games/${game}/demo`);
export const openTable = (table: NewTable) => post<Opened>("/api/tables", table);
export const judge = (line: Line) => post<View>("/api/judge", line);
/** Every position along the moves, for replay without a table. */
export const frames = (line: Line) => post<Frame[]>("/api/frames", line);
export const edit = (change: Edit) => post<View>("/api/edit", change);
export const importText = (text: Import) => post<Opened>("/api/import", text);
export const explain = (search: Explain) => post<unknown>("/api/explain", search);
/** Whether a solved game's exact values can be had, and how far the table they need is. */
export const solved = (game: string) => get<Solved>(`/api/solved?game=${encodeURIComponent(game)}`);
export const makeSolved = (game: string) => post<Solved>("/api/solved", { game });
export const library = (query: Record<string, string>) => get<LibraryPage>(`/api/library?${new URLSearchParams(query)}`);
export const libraryGame = (id: number) => get<LibraryRecord>(`/api/library/${id}`);
export const runs = () => get<RunInfo[]>("/api/runs");
export const run = (id: string) => get<Run>(`/api/runs/${encodeURIComponent(id)}`);

/** A table or a game of the library as a file's text. */
export const exported = async (what: string, format: string): Promise<string> => (await fetched(`/api/${what}/export?as=${format}`)).text();
