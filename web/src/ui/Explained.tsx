// Words of the trade, explained when one rests on them: atari, ko, nakade, zugzwang.
import { words } from "../i18n";

export function Explained({ text }: { text: string }) {
  const terms = words().terms;
  const pattern = new RegExp(`\\b(${Object.keys(terms).join("|")})\\b`, "gi");
  return <>{text.split(pattern).map((part, index) => (index % 2 === 1 ? <dfn key={index} tabIndex={0} title={terms[part.toLowerCase()]} data-tip={terms[part.toLowerCase()]}>{part}</dfn> : part))}</>;
}
