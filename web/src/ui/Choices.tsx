// One of several: radio buttons that look like a row of keys, with the arrow keys of the browser.
import type { ComponentChildren } from "preact";

export interface Option<T extends string> { value: T; label: ComponentChildren; about?: string | undefined; title?: string }

interface Props<T extends string> { legend: string; name: string; options: Option<T>[]; value: T; onChange(value: T): void; stacked?: boolean; hideLegend?: boolean }

export function Choices<T extends string>({ legend, name, options, value, onChange, stacked, hideLegend }: Props<T>) {
  return (
    <fieldset class={`choices ${stacked ? "choices-stacked" : ""}`}>
      <legend class={hideLegend ? "sr-only" : ""}>{legend}</legend>
      <div class="choices-row">
        {options.map((option) => (
          <label key={option.value} class="choice" title={option.title}>
            <input type="radio" name={name} value={option.value} checked={option.value === value} onChange={() => onChange(option.value)} />
            <span class="choice-face">
              <span class="choice-label">{option.label}</span>
              {option.about && <small>{option.about}</small>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
