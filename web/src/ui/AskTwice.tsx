// A button for what cannot be taken back: the first press asks, the second does it. It never moves or changes its size.
import { useEffect, useState } from "preact/hooks";
import { Icon, type IconName } from "./Icon";

interface Props { icon: IconName; label: string; sure: string; disabled?: boolean; onSure(): void }

export function AskTwice({ icon, label, sure, disabled, onSure }: Props) {
  const [asking, ask] = useState(false);
  useEffect(() => {
    if (!asking) return;
    const timer = setTimeout(() => ask(false), 4000);
    return () => clearTimeout(timer);
  }, [asking]);
  return (
    <button type="button" class={`button tool ${asking ? "asking" : ""}`} disabled={disabled} title={label} onBlur={() => ask(false)} onClick={() => { if (asking) onSure(); ask(!asking); }}>
      <Icon name={icon} />
      <span aria-live="polite">{asking ? sure : label}</span>
    </button>
  );
}
