// A component that is drawn again only when one of its properties is another than before.
import { Component, type ComponentChildren, type FunctionComponent } from "preact";

export function memo<P extends object>(render: (props: P) => ComponentChildren): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const now = this.props as Record<string, unknown>;
      const then = next as Record<string, unknown>;
      const keys = new Set([...Object.keys(now), ...Object.keys(then)]);
      return [...keys].some((key) => now[key] !== then[key]);
    }
    override render() {
      return render(this.props);
    }
  }
  return Memo as unknown as FunctionComponent<P>;
}
