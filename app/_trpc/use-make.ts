"use client";

import { useRef } from "react";
import { isSignedOut } from "@/app/_auth/failure";
import { failureOf, isGone, isUnanswered } from "./failure";

/**
 * Makes a change that an earlier attempt may have made: `await make(() => deletion.mutateAsync(…), answerOfLost)`. After an attempt
 * whose answer was lost, the next one is refused, but because of nobody else's change.
 * @param answerOfLost what the lost answer has said, as far as it is known; `undefined` when that attempt did not make the change.
 */
export function useMake() {
  const isAnswerLost = useRef(false);
  return async <Answer, Known>(
    change: () => Promise<Answer>,
    answerOfLost: (refusal: unknown) => Promise<Known | undefined>,
  ): Promise<Answer | Known> => {
    try {
      return await change();
    } catch (error) {
      const wasLost = isAnswerLost.current;
      isAnswerLost.current ||= isUnanswered(error);
      const answer = wasLost && isRefusal(error) ? await answerOfLost(error) : undefined;
      if (answer === undefined) throw error;
      return answer;
    }
  };
}

/** For a deletion: an earlier attempt has made it when nothing is there any more. */
export async function wasDeleted(refusal: unknown): Promise<true | undefined> {
  return isGone(refusal) || undefined;
}

/** Whether the server has looked at what was asked. */
function isRefusal(error: unknown): boolean {
  return !isUnanswered(error) && !isSignedOut(error) && failureOf(error).kind !== "signed-out";
}
