// A typed emitter for every runtime: node:events is Node's alone, and EventTarget wants an Event object per message.
// Listeners run at once and in order; what one of them throws is a fault of its owner and reaches the caller of `emit`.

type Listener<Values extends readonly unknown[]> = (...values: Values) => void;

/** `Events` maps the name of an event to the values that its listeners are called with. */
export class Emitter<Events extends { readonly [Name in keyof Events]: readonly unknown[] }> {
  /** Lists are replaced, never changed, so that a listener may come or go while an event is told. */
  readonly #listeners: { [Name in keyof Events]?: readonly Listener<Events[Name]>[] } = {};

  /** Returns what takes the listener away again. */
  on<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): () => void {
    // Of its own, so that one function may listen twice and each is taken away by itself.
    const own: Listener<Events[Name]> = (...values) => listener(...values);
    this.#listeners[name] = [...(this.#listeners[name] ?? []), own];
    return () => {
      this.#listeners[name] = this.#listeners[name]?.filter(other => other !== own) ?? [];
    };
  }

  /** As `on`, for the next event alone. */
  once<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): () => void {
    const remove = this.on(name, (...values) => {
      remove();
      listener(...values);
    });
    return remove;
  }

  protected emit<Name extends keyof Events>(name: Name, ...values: Events[Name]): void {
    for (const listener of this.#listeners[name] ?? []) listener(...values);
  }
}
