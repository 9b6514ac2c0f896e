// Learn: the list of tutorials with what is done, and the door to how the machine thinks.
import { say, words } from "../i18n";
import { LESSONS } from "../learn/lessons";
import { done } from "../learn/progress";
import { Icon } from "../ui/Icon";
import { useStore } from "../ui/store";
import { useGames } from "../ui/useGames";
import { LivingBoard } from "./home/LivingBoard";
import { familiesOf, familyTitle } from "./home/Home";

const SHOWN: Record<string, string> = { go: "go9", chess: "chess", yokai: "yokai34", othello: "othello" };

export function Learn() {
  const t = words();
  const { games, trouble } = useGames();
  const finished = useStore(done);
  return (
    <div class="page home">
      <h1>{t.learn.title}</h1>
      {trouble !== null && <p class="notice">{trouble}</p>}
      <a class="panel machine-card" href="/learn/machine"><Icon name="tree" /><span><b>{t.learn.machine}</b><small>{t.learn.machineAbout}</small></span></a>
      <h2>{t.learn.games}</h2>
      <p class="quiet">{t.learn.gamesAbout}</p>
      <ul class="cards">
        {games && familiesOf(games).filter((family) => LESSONS[family[0]?.family ?? ""]).map((family) => {
          const name = family[0]?.family ?? "";
          const lessons = LESSONS[name] ?? [];
          const count = lessons.filter((lesson) => finished[name]?.includes(lesson.id)).length;
          return (
            <li key={name} class="card">
              <a class="card-play" href={`/learn/${name}`}>
                <LivingBoard game={SHOWN[name] ?? family[0]?.id ?? name} />
                <span class="card-title">{familyTitle(family)}</span>
                <span class="card-how">{family[0] ? say(family[0].about) : ""}</span>
                <span class="card-progress"><progress value={count} max={lessons.length} aria-label={t.learn.lessons(lessons.length)} />{t.of(count, lessons.length)}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
