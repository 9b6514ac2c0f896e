// A sheet over the page: the browser's own dialog, so focus, Escape and screen readers are right by themselves.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { words } from "../i18n";
import { Icon } from "./Icon";

interface Props { title: string; onClose(): void; children: ComponentChildren; wide?: boolean }

export function Dialog({ title, onClose, children, wide }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${wide ? "dialog-wide" : ""}`}
      aria-labelledby="dialog-title"
      onCancel={(event) => { event.preventDefault(); onClose(); }}
      onClick={(event) => event.target === dialog.current && onClose()}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div class="dialog-inside">
        <header class="dialog-head">
          <h2 id="dialog-title">{title}</h2>
          <button type="button" class="icon-button" aria-label={words().close} onClick={onClose}><Icon name="close" /></button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
