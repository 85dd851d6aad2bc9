import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { completeAt } from "./completions";
import { answerWhole, type FakeUpstream } from "./fake-upstream";
import { type Gateway, newSpender, openScene, type Scene, type Spender } from "./gateway";

/** The example gateway that all tests of a file call. Before each of them its service answers, and Allowance can be reached. */
export class RunningGateway {
  scene!: Scene;
  gateway!: Gateway;

  constructor() {
    beforeAll(async () => {
      this.scene = await openScene();
      this.gateway = await this.scene.start("outbox.jsonl");
    });
    afterAll(async () => {
      expect(await this.gateway.stop()).toEqual([0, null]);
      await this.scene.close();
    });
    beforeEach(() => {
      this.upstream.answerWith(answerWhole);
      this.scene.road.obstacle = () => undefined;
    });
  }

  get upstream(): FakeUpstream {
    return this.scene.upstream;
  }

  /** Makes a key with limits. */
  spender = (limits: object = {}): Promise<Spender> => newSpender(this.scene.account, limits);

  /** Asks for a completion. */
  complete = (apikey: string, more?: object, options?: RequestInit, at = this.gateway): Promise<Response> =>
    completeAt(at, apikey, more, options);
}
