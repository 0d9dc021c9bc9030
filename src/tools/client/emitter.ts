// A typed emitter for every runtime: node:events exists in Node only, and EventTarget needs an Event object for each
// message. Listeners run synchronously, in order. If one throws, `emit` throws.

type Listener<Values extends readonly unknown[]> = (...values: Values) => void;

/** `Events` maps names of events to the arguments of their listeners. */
export class Emitter<Events extends { readonly [Name in keyof Events]: readonly unknown[] }> {
  /** Lists are replaced, never changed: listeners may come and go during an `emit`. */
  readonly #listeners: { [Name in keyof Events]?: readonly Listener<Events[Name]>[] } = {};

  /** Returns a function that removes the listener. */
  on<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): () => void {
    // A wrapper for each call: one function may be added twice, and each removed separately.
    const own: Listener<Events[Name]> = (...values) => listener(...values);
    this.#listeners[name] = [...(this.#listeners[name] ?? []), own];
    return () => {
      this.#listeners[name] = this.#listeners[name]?.filter(other => other !== own) ?? [];
    };
  }

  /** Like `on`, for the next event only. */
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
