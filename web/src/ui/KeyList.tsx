// The list of keys, for the settings page and the question mark.
import { words } from "../i18n";

export const KeyList = () => (
  <dl class="key-list">
    {words().keys.list.map(([keys, what]) => (
      <div key={keys}><dt>{keys.split(/( |, )/).map((part) => (part.trim() && part !== ", " ? <kbd>{part}</kbd> : part))}</dt><dd>{what}</dd></div>
    ))}
  </dl>
);
