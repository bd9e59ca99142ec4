// The requests that are being worked on: which of them give up their place meanwhile, and which have been too slow.
import { PassingList } from '../../passing/index.ts';
import type { RequestKind } from './request-kind.ts';
import type { Slowness, SlowVisitLimits } from './slow-visits.ts';
import { endIfSlow, endSlowBody } from './slow-visits.ts';
import type { Visit } from './visit.ts';

/** How long a body may be on its way before its request gives its place to one that waits for it. */
const HELD_FOR_BODY_MS = 200;

export class StartedVisits {
  readonly #limits: SlowVisitLimits;
  readonly #onCut: (slowness: Slowness) => void;
  /** In the order in which they began. */
  readonly #visits = new PassingList<Visit>();
  /** Those of them whose bodies are late, the oldest first: they take no place of their kind. */
  readonly #aside = new PassingList<Visit>();

  constructor(limits: SlowVisitLimits, onCut: (slowness: Slowness) => void) {
    this.#limits = limits;
    this.#onCut = onCut;
  }

  get size(): number {
    return this.#visits.size;
  }

  get aside(): number {
    return this.#aside.size;
  }

  countAside(kind: RequestKind): number {
    return [...this.#aside].filter((visit) => visit.kind === kind).length;
  }

  add(visit: Visit): void {
    visit.started = this.#visits.add(visit);
  }

  /** True where it had its place until now. */
  remove(visit: Visit): boolean {
    if (visit.started) this.#visits.remove(visit.started);
    return !(visit.aside && this.#aside.remove(visit.aside));
  }

  /** How many of the kind give up their place, so that bodies which never come keep nobody waiting. Served when they come after all. */
  setAside(kind: RequestKind, now: number): number {
    const before = this.#aside.size;
    for (const visit of this.#visits) {
      if (now - visit.startedAt < HELD_FOR_BODY_MS) break;
      if (visit.kind === kind && !visit.request.complete) visit.aside ??= this.#aside.add(visit);
    }
    return this.#aside.size - before;
  }

  /** The one that was ended; null where nobody's body is late. */
  endOldestAside(): Visit | null {
    const oldest = [...this.#aside].find(({ request }) => !request.complete);
    if (!oldest) return null;
    endSlowBody(oldest);
    this.#onCut('slow_body');
    return oldest;
  }

  endSlow(now: number): void {
    const { bodyTimeoutMs, answerTimeoutMs } = this.#limits;
    const shortest = Math.min(bodyTimeoutMs, answerTimeoutMs);
    for (const visit of this.#visits) {
      if (now - visit.startedAt < shortest) break;
      const slowness = endIfSlow(visit, this.#limits, now);
      if (slowness) this.#onCut(slowness);
    }
  }
}
