// A typed emitter for every runtime. node:events exists only in Node, and EventTarget needs an Event object for each message. Listeners run
// synchronously, in their order. If a listener throws, `emit` throws.

type Listener<Values extends readonly unknown[]> = (...values: Values) => void;

/** `Events` maps names of events to the arguments of their listeners. */
export class Emitter<Events extends { readonly [Name in keyof Events]: readonly unknown[] }> {
  /** The listeners by event. A list is replaced, never changed, so that listeners may be added and removed during an `emit`. */
  readonly #listeners: { [Name in keyof Events]?: readonly Listener<Events[Name]>[] } = {};

  /** Returns a function that removes the listener. */
  on<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): () => void {
    // Each call has a wrapper of its own, so that a function may be added twice and each one removed separately.
    const own: Listener<Events[Name]> = (...values) => listener(...values);
    this.#listeners[name] = [...(this.#listeners[name] ?? []), own];
    return () => {
      this.#listeners[name] = this.#listeners[name]?.filter(other => other !== own) ?? [];
    };
  }

  /** Does the same as `on`, for the next event only. */
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
