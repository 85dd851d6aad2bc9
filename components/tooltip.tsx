"use client";

import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { placeBeside } from "./placement";

/** So long the pointer may be between an element and its tooltip. */
const LEAVING_MS = 120;

interface Tooltip {
  /** Shows a text beside an element, which it describes for screen readers too. */
  show(anchor: HTMLElement, content: ReactNode): void;
  /** Hides the tooltip of an element, if it is shown. `later`: unless the pointer goes on to the tooltip itself. */
  hide(anchor: HTMLElement, when: "now" | "later"): void;
}

const TooltipContext = createContext<Tooltip>({ show() {}, hide() {} });

/** The one tooltip that all elements of the page share. Elements of a long list would have hundreds of them. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [shown, setShown] = useState<{ anchor: HTMLElement; content: ReactNode }>();
  const tooltip = useMemo<Tooltip>(() => {
    const hide = (anchor: HTMLElement) => setShown((now) => (now?.anchor === anchor ? undefined : now));
    return {
      show(anchor, content) {
        clearTimeout(leaving.current);
        setShown({ anchor, content });
      },
      hide(anchor, when) {
        clearTimeout(leaving.current);
        if (when === "now") hide(anchor);
        else leaving.current = setTimeout(() => hide(anchor), LEAVING_MS);
      },
    };
  }, []);

  useLayoutEffect(() => {
    const element = panel.current;
    if (!shown || !element) return;
    const { anchor } = shown;
    anchor.setAttribute("aria-describedby", id);
    // It opens anew each time, because what was opened last is on top.
    element.showPopover();
    placeBeside(element, anchor, "start");
    return () => {
      anchor.removeAttribute("aria-describedby");
      element.hidePopover();
    };
  }, [shown, id]);
  useEffect(() => {
    if (!shown) return;
    const close = (event: KeyboardEvent) => event.key === "Escape" && tooltip.hide(shown.anchor, "now");
    window.addEventListener("keydown", close);
    return () => window.removeEventListener("keydown", close);
  }, [shown, tooltip]);

  return (
    <TooltipContext value={tooltip}>
      {children}
      <div
        ref={panel}
        id={id}
        popover="manual"
        role="tooltip"
        className="fixed inset-auto m-0 max-w-[min(19rem,calc(100vw-1rem))] rounded-xl border border-line bg-raised p-3 text-[0.8125rem] whitespace-normal text-ink shadow-floating"
        onPointerEnter={() => clearTimeout(leaving.current)}
        onPointerLeave={() => shown && tooltip.hide(shown.anchor, "later")}
      >
        {shown?.content}
      </div>
    </TooltipContext>
  );
}

/**
 * The handlers of a button that shows the tooltip on hover, on focus and on a tap.
 * @param content makes what the tooltip says, when it is shown.
 */
export function useTooltip(content: () => ReactNode) {
  const tooltip = useContext(TooltipContext);
  const anchor = useRef<HTMLButtonElement>(null);
  // An element that is removed takes its tooltip along.
  useEffect(() => {
    const element = anchor.current;
    return () => {
      if (element) tooltip.hide(element, "now");
    };
  }, [tooltip]);
  const show = () => anchor.current && tooltip.show(anchor.current, content());
  const hide = (when: "now" | "later") => () => {
    if (anchor.current) tooltip.hide(anchor.current, when);
  };
  return {
    ref: anchor,
    onPointerEnter: show,
    onPointerLeave: hide("later"),
    onFocus: show,
    onBlur: hide("now"),
    onClick: show,
  };
}
