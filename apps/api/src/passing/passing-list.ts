// What comes and goes all the time while something is always there, in the order in which it came: in the place of a Set or Map.
//
// V8 moves a Set or Map that changes into a new table every few dozen changes, and the old table goes on pointing at the new one
// and at what has been deleted since. Once one table of this chain is old, the collector of young objects takes all that
// follow for alive: whatever has passed through one is kept, copied and promoted until a full collection. With requests in it
// and all that they hold, that was most of the garbage that full collections had to find. Where a Map is needed for its keys, let its
// values be emptied before they are deleted.

/** Where a value stands. What has been removed holds on to nothing but its value. */
export type Place<Value> = {
  readonly value: Value;
  before: Place<Value> | undefined;
  after: Place<Value> | undefined;
  isTaken: boolean;
};

export class PassingList<Value> implements Iterable<Value> {
  #first: Place<Value> | undefined;
  #last: Place<Value> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** At the end. */
  add(value: Value): Place<Value> {
    const place = { value, before: this.#last, after: undefined, isTaken: true };
    if (this.#last) this.#last.after = place;
    else this.#first = place;
    this.#last = place;
    this.#size += 1;
    return place;
  }

  /** False where it has been removed before. */
  remove(place: Place<Value>): boolean {
    if (!place.isTaken) return false;
    const { before, after } = place;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    place.before = undefined;
    place.after = undefined;
    place.isTaken = false;
    this.#size -= 1;
    return true;
  }

  /** From the first to the last. Meanwhile no other may be removed than the one that is looked at. */
  *[Symbol.iterator](): Generator<Value> {
    let place = this.#first;
    while (place) {
      const { value, after }: Place<Value> = place;
      yield value;
      place = place.isTaken ? place.after : after;
    }
  }
}
