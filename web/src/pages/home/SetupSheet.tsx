// The sheet that chooses everything before a game: board, who plays, level, side, rules, komi, handicap, clock.
import { useState } from "preact/hooks";
import { say, words } from "../../i18n";
import type { GameInfo, Mode, Source, Wanted } from "../../protocol/messages";
import { Choices } from "../../ui/Choices";
import { Dialog } from "../../ui/Dialog";
import { Icon, type IconName } from "../../ui/Icon";
import { choose, useSettings } from "../../ui/settings";
import { complain } from "../../ui/toast";
import { titleOf, variantOf } from "../../ui/useGames";
import { begin, type Choice, lastChoice } from "./choice";

interface Props { family: GameInfo[]; onClose(): void; position?: string; from?: Source; mode?: Mode }

const MODES: [Mode, IconName][] = [["ai", "machine"], ["here", "people"], ["link", "link"], ["sandbox", "analyse"], ["watch", "eye"]];

export function SetupSheet({ family, onClose, position, from, mode }: Props) {
  const t = words();
  const { name } = useSettings();
  const [choice, setChoice] = useState<Choice>(() => ({ ...lastChoice(family), ...(mode ? { mode } : {}) }));
  const [busy, setBusy] = useState(false);
  const game = family.find(({ id }) => id === choice.game) ?? (family[0] as GameInfo);
  const change = (part: Partial<Choice>) => setChoice({ ...choice, ...part });
  const { options } = game;
  const rules = options.rules.includes(choice.rules) ? choice.rules : options.rules[0] ?? "";
  const komi = choice.komi ?? options.komi[Math.max(0, options.rules.indexOf(rules))] ?? null;
  const fixed = position !== undefined || from !== undefined;
  const start = async () => {
    setBusy(true);
    try {
      await begin(game, choice, { ...(position !== undefined ? { position } : {}), ...(from ? { from } : {}) });
    } catch (error) {
      complain(error);
      setBusy(false);
    }
  };
  return (
    <Dialog title={fixed ? t.sandbox.playFrom : t.setup.title(titleOf(game))} onClose={onClose} wide>
      <form class="setup" onSubmit={(event) => { event.preventDefault(); void start(); }}>
        <div class="setup-columns">
          <div class="setup-column">
            {family.length > 1 && !fixed && (
              <Choices legend={t.setup.variant} name="variant" value={game.id} onChange={(id) => change({ game: id, komi: null })} options={family.map((one) => ({ value: one.id, label: variantOf(one) || say(one.title), title: say(one.about) }))} />
            )}
            <Choices stacked legend={t.setup.mode} name="mode" value={choice.mode} onChange={(to) => change({ mode: to })} options={MODES.map(([value, icon]) => ({ value, label: <><Icon name={icon} />{t.modes[value]}</>, about: t.modesAbout[value] }))} />
          </div>
          <div class="setup-column">
            {(choice.mode === "ai" || choice.mode === "watch") && (
              <>
                <Levels game={game} legend={choice.mode === "watch" ? `${t.setup.level}: ${say(game.sides[0])}` : t.setup.level} name="level" value={choice.level} onChange={(level) => change({ level })} />
                {choice.mode === "watch" && <Levels game={game} legend={`${t.setup.level}: ${say(game.sides[1])}`} name="otherLevel" value={choice.otherLevel} onChange={(otherLevel) => change({ otherLevel })} />}
              </>
            )}
            {(choice.mode === "ai" || choice.mode === "link") && (
              <Choices<Wanted> legend={t.setup.side} name="side" value={choice.side} onChange={(side) => change({ side })} options={[{ value: "first", label: say(game.sides[0]) }, { value: "random", label: t.setup.random }, { value: "second", label: say(game.sides[1]) }]} />
            )}
            {choice.mode === "here" && (
              <fieldset class="fields">
                <legend>{t.setup.names}</legend>
                {([0, 1] as const).map((index) => (
                  <label key={index}>{say(game.sides[index])}<input value={choice.names[index]} maxLength={40} onInput={(event) => change({ names: choice.names.map((old, at) => (at === index ? event.currentTarget.value : old)) as [string, string] })} /></label>
                ))}
              </fieldset>
            )}
            {choice.mode === "link" && <label class="field">{t.setup.yourName}<input value={name} maxLength={40} onInput={(event) => choose({ name: event.currentTarget.value })} /></label>}
            {!fixed && options.rules.length > 0 && (
              <div class="fields">
                <label>{t.setup.rules}
                  <select value={rules} onChange={(event) => change({ rules: event.currentTarget.value, komi: null })}>{options.rules.map((one) => <option key={one} value={one}>{t.rules[one] ?? one}</option>)}</select>
                </label>
                {options.komi.length > 0 && <label title={t.setup.komiAbout}>{t.setup.komi}<input type="number" step="0.5" min="-100" max="100" value={komi ?? ""} onInput={(event) => change({ komi: event.currentTarget.value === "" ? null : Number(event.currentTarget.value) })} /></label>}
                {options.handicap > 1 && (
                  <label>{t.setup.handicap}
                    <select value={choice.handicap} onChange={(event) => change({ handicap: Number(event.currentTarget.value) })}>
                      <option value={0}>{t.setup.none}</option>
                      {Array.from({ length: options.handicap - 1 }, (_, index) => index + 2).map((n) => <option key={n} value={n}>{t.setup.stones(n)}</option>)}
                    </select>
                  </label>
                )}
              </div>
            )}
            {choice.mode !== "sandbox" && (
              <>
                <Choices legend={t.setup.clock} name="clock" value={choice.clock} onChange={(clock) => change({ clock })} options={(["none", "absolute", "fischer", "byoyomi"] as const).map((value) => ({ value, label: t.setup.clocks[value] }))} />
                {choice.clock !== "none" && (
                  <div class="fields">
                    <Amount label={t.setup.minutes} value={choice.minutes} least={0} step={0.5} onChange={(minutes) => change({ minutes })} />
                    {choice.clock === "fischer" && <Amount label={t.setup.increment} value={choice.increment} least={0} onChange={(increment) => change({ increment })} />}
                    {choice.clock === "byoyomi" && <Amount label={t.setup.periods} value={choice.periods} least={1} onChange={(periods) => change({ periods })} />}
                    {choice.clock === "byoyomi" && <Amount label={t.setup.periodSeconds} value={choice.periodSeconds} least={1} onChange={(periodSeconds) => change({ periodSeconds })} />}
                  </div>
                )}
              </>
            )}
          </div>
        </div>
        <footer class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>{t.cancel}</button>
          <button type="submit" class="button primary large" disabled={busy}><Icon name="play" />{t.setup.start}</button>
        </footer>
      </form>
    </Dialog>
  );
}

const Amount = ({ label, value, least, step = 1, onChange }: { label: string; value: number; least: number; step?: number; onChange(value: number): void }) => (
  <label>{label}<input type="number" min={least} max={1000} step={step} value={value} onInput={(event) => Number.isFinite(event.currentTarget.valueAsNumber) && onChange(event.currentTarget.valueAsNumber)} /></label>
);

function Levels({ game, legend, name, value, onChange }: { game: GameInfo; legend: string; name: string; value: string; onChange(level: string): void }) {
  const t = words();
  return (
    <fieldset class="levels">
      <legend>{legend}</legend>
      <div class="levels-list">
        {game.levels.map((level, index) => (
          <label key={level.id} class="level">
            <input type="radio" name={name} value={level.id} checked={level.id === value} onChange={() => onChange(level.id)} />
            <span class="level-face">
              <span class="level-steps" aria-hidden="true">{game.levels.map((_, step) => <i key={step} class={step <= index ? "on" : ""} />)}</span>
              <span class="level-name">{say(level.name)}</span>
              {level.rating !== null && <span class="level-rating" title={t.setup.eloAbout}>{t.setup.elo(Math.round(level.rating), level.error === null ? null : Math.round(level.error))}</span>}
              <small>{say(level.about)}</small>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
