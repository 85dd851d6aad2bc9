import { Spinner } from "./button";
import { Icon, type IconName } from "./icon";

/** The icon of something that is loaded. It becomes a spinner when that takes longer than 300 ms. */
export function BusyIcon({ icon, isBusy }: { icon: IconName; isBusy: boolean }) {
  return (
    <span className="grid *:[grid-area:1/1]">
      <Icon name={icon} className={`size-4 ${isBusy ? "opacity-0 transition-opacity delay-300 duration-0" : ""}`} />
      {isBusy && (
        // The spinner has an animation of its own, which another one on it would replace.
        <span className="opacity-0 [animation:appear_0s_300ms_forwards]">
          <Spinner />
        </span>
      )}
    </span>
  );
}
