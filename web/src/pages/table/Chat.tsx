// What players and spectators say to each other.
import { useEffect, useRef } from "preact/hooks";
import { words } from "../../i18n";
import type { ChatLine, You } from "../../protocol/messages";

interface Props { chat: ChatLine[]; you: You; names: [string, string]; onSay(text: string): void }

export function Chat({ chat, you, names, onSay }: Props) {
  const t = words();
  const box = useRef<HTMLOListElement>(null);
  useEffect(() => { if (box.current) box.current.scrollTop = box.current.scrollHeight; }, [chat.length]);
  const who = (line: ChatLine) => line.name || (line.from === you ? t.table.you : line.from === "first" ? names[0] : line.from === "second" ? names[1] : t.table.guest);
  return (
    <section class="panel chat" aria-label={t.table.chat}>
      <ol ref={box} aria-live="polite">
        {chat.length === 0 && <li class="quiet">{t.table.noChat}</li>}
        {chat.map((line, index) => <li key={index}><b>{who(line)}</b> {line.text}</li>)}
      </ol>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const input = event.currentTarget.elements.namedItem("text") as HTMLInputElement;
          if (input.value.trim()) onSay(input.value.trim());
          input.value = "";
        }}
      >
        <input name="text" maxLength={500} autocomplete="off" placeholder={t.table.chatPlaceholder} aria-label={t.table.chatPlaceholder} />
        <button type="submit" class="button">{t.table.send}</button>
      </form>
    </section>
  );
}
