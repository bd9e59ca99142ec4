// A doubly linked list in order of arrival, for entries that come and go all the time while the list is rarely empty. A Set or Map would
// keep deleted entries alive until a full garbage collection (docs/decisions/0013-garbage-collection.md). Where a Map is needed for its
// keys, empty its values before you delete them.

/** A value in the list. A removed node references nothing but its value. */
export type ListNode<Value> = {
  readonly value: Value;
  before: ListNode<Value> | undefined;
  after: ListNode<Value> | undefined;
  isLinked: boolean;
};

export class LinkedList<Value> implements Iterable<Value> {
  #first: ListNode<Value> | undefined;
  #last: ListNode<Value> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get first(): ListNode<Value> | undefined {
    return this.#first;
  }

  get last(): ListNode<Value> | undefined {
    return this.#last;
  }

  /** Appends a value; the node is what `remove` takes. */
  add(value: Value): ListNode<Value> {
    const node = { value, before: this.#last, after: undefined, isLinked: true };
    if (this.#last) this.#last.after = node;
    else this.#first = node;
    this.#last = node;
    this.#size += 1;
    return node;
  }

  /** False when the node has been removed before. */
  remove(node: ListNode<Value>): boolean {
    if (!node.isLinked) return false;
    const { before, after } = node;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    node.before = undefined;
    node.after = undefined;
    node.isLinked = false;
    this.#size -= 1;
    return true;
  }

  /** From first to last. During the iteration only the current node may be removed. */
  *[Symbol.iterator](): Generator<Value> {
    let node = this.#first;
    while (node) {
      const { value, after }: ListNode<Value> = node;
      yield value;
      node = node.isLinked ? node.after : after;
    }
  }
}
