/** How much may be under way at once, and how long the rest waits. */
export interface ConcurrencyBounds {
  /** The most pieces of work for one name. */
  each: number;
  /** The most for all names together. Absent: there is no such bound. */
  total?: number;
  /** The most that wait for one name. */
  mostWaiting: number;
  /** For how many milliseconds a wait goes on in which no work of the name ends. */
  longestStandstill: number;
}

/** Ends a piece of work, so that the next one can begin. It may be called again, without effect. */
export type Leave = () => void;

/** What is waiting for the turns of one name. */
interface Queue {
  waiting: ((leave: Leave | undefined) => void)[];
  /** When work of this name ended last, or the queue began. */
  movedAt: number;
}

/**
 * Bounds how much work is under way at once in this process, for each name and in all. What comes too early waits, in
 * order; names take turns, so that the queue of one name does not keep another waiting.
 */
export class ConcurrencyLimit {
  readonly #underWay = new Map<string, number>();
  /** The name whose turn was longest ago comes first. */
  readonly #queues = new Map<string, Queue>();
  #total = 0;

  constructor(private readonly bounds: ConcurrencyBounds) {}

  /**
   * Waits until a piece of work for this name may begin. Whoever gets a function calls it at the end of the work.
   * @returns undefined when too many wait, or nothing moved for too long: the work must not begin.
   */
  enter(name: string): Promise<Leave | undefined> {
    const queue = this.#queues.get(name);
    if (queue === undefined && this.#hasRoom(name)) return Promise.resolve(this.#begin(name));
    if (queue !== undefined && queue.waiting.length >= this.bounds.mostWaiting) return Promise.resolve(undefined);
    return this.#wait(name);
  }

  #wait(name: string): Promise<Leave | undefined> {
    const queue = this.#queues.get(name) ?? { waiting: [], movedAt: performance.now() };
    this.#queues.set(name, queue);
    const enteredAt = performance.now();
    const { longestStandstill } = this.bounds;
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout;
      const settle = (leave: Leave | undefined) => {
        clearTimeout(timer);
        resolve(leave);
      };
      // Work that has ended already is noticed first, so that nobody is refused for the slowness of a busy process.
      const giveUpAfter = (ms: number) => {
        timer = setTimeout(() => setImmediate(giveUp), ms);
      };
      const giveUp = () => {
        const place = queue.waiting.indexOf(settle);
        if (place < 0) return;
        const left = Math.max(enteredAt, queue.movedAt) + longestStandstill - performance.now();
        if (left > 0) return giveUpAfter(left);
        queue.waiting.splice(place, 1);
        if (queue.waiting.length === 0) this.#queues.delete(name);
        settle(undefined);
      };
      queue.waiting.push(settle);
      giveUpAfter(longestStandstill);
    });
  }

  #hasRoom(name: string): boolean {
    const { each, total = Number.POSITIVE_INFINITY } = this.bounds;
    return this.#total < total && (this.#underWay.get(name) ?? 0) < each;
  }

  #begin(name: string): Leave {
    this.#total++;
    this.#underWay.set(name, (this.#underWay.get(name) ?? 0) + 1);
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#end(name);
    };
  }

  #end(name: string): void {
    this.#total--;
    const left = (this.#underWay.get(name) ?? 0) - 1;
    if (left > 0) this.#underWay.set(name, left);
    else this.#underWay.delete(name);
    const own = this.#queues.get(name);
    if (own) own.movedAt = performance.now();
    for (const [next, queue] of this.#queues) {
      if (!this.#hasRoom(next)) continue;
      const settle = queue.waiting.shift();
      this.#queues.delete(next);
      if (queue.waiting.length > 0) this.#queues.set(next, queue);
      settle?.(this.#begin(next));
      return;
    }
  }
}
