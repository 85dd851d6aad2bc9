"use client";

import Link from "next/link";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { Icon, type IconName } from "./icon";
import { useFocusHandedOn } from "./lost-focus";
import { placeBeside } from "./placement";

interface MenuItem {
  label: string;
  icon?: IconName;
  /** Makes the item a link. */
  href?: string;
  onSelect?: () => void;
  /** Makes the item a radio item, and says whether it is chosen. */
  isChosen?: boolean;
  /** Makes the item a checkbox item, and says whether it is checked. The menu stays open. */
  isTicked?: boolean;
  isDanger?: boolean;
  isDisabled?: boolean;
  /** The link leads to the present page. */
  isCurrent?: boolean;
  /** Language of the label, if it differs from the language of the page. */
  lang?: string;
}

interface MenuSection {
  /** Stands above the items. */
  label?: string;
  items: MenuItem[];
}

export interface MenuProps {
  /** Accessible name of the button, and of the menu. */
  label: string;
  /** Content of the button; three dots by default. */
  children?: ReactNode;
  sections: MenuSection[];
  align?: "start" | "end";
  /** Classes of the button. */
  className?: string;
}

/** A button that opens a menu. Arrow keys, Home, End and first letters move the focus in it; Escape closes it. */
export function Menu({ label, children, sections, align = "end", className }: MenuProps) {
  const menu = useMenu();
  return (
    <>
      <MenuButton
        menuId={menu.id}
        label={label}
        isOpen={menu.opened !== undefined}
        onOpen={menu.setOpened}
        className={className}
      >
        {children}
      </MenuButton>
      <MenuPanel menu={menu} label={label} sections={sections} align={align} />
    </>
  );
}

/** The button that opened a menu, and where the focus starts. */
export interface Opened {
  button: HTMLButtonElement;
  from: "first" | "last";
}

/** A menu that one button opens, or each row of a table with a button of its own. */
interface SharedMenu {
  /** The id of the panel. */
  id: string;
  /** Undefined while it is closed. */
  opened: Opened | undefined;
  setOpened(opened: Opened | undefined): void;
}

/** The state of a menu. Its buttons are `MenuButton`, its items stand in one `MenuPanel`. */
export function useMenu(): SharedMenu {
  const id = useId();
  const [opened, setOpened] = useState<Opened>();
  return { id: `${id}-menu`, opened, setOpened };
}

/** A button that opens a menu, and closes it again. */
export function MenuButton({
  menuId,
  label,
  isOpen,
  onOpen,
  className = "menu-button",
  children,
}: {
  menuId: string;
  label: string;
  /** Whether this button has opened the menu. */
  isOpen: boolean;
  onOpen(opened: Opened): void;
  className?: string | undefined;
  children?: ReactNode;
}) {
  const button = useRef<HTMLButtonElement>(null);
  useFocusHandedOn(button);
  const open = (from: Opened["from"]) => {
    if (button.current) onOpen({ button: button.current, from });
  };
  return (
    <button
      ref={button}
      type="button"
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      {...(isOpen && { "aria-controls": menuId })}
      popoverTarget={menuId}
      className={className}
      // Because of `popoverTarget` the browser leaves the open menu to its buttons. The panel places and focuses itself.
      onClick={(event) => {
        event.preventDefault();
        if (isOpen) closeMenu(event.currentTarget, menuId);
        else open("first");
      }}
      onKeyDown={(event) => {
        if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
        event.preventDefault();
        open(event.key === "ArrowDown" ? "first" : "last");
      }}
    >
      {children ?? <Icon name="more" className="size-5" />}
    </button>
  );
}

/** Closes a menu. The focus returns to the button that opened it. */
function closeMenu(button: HTMLButtonElement, id: string): void {
  document.getElementById(id)?.hidePopover();
  button.focus();
}

/** The items of a menu, at the button that opened it. */
export function MenuPanel({
  menu: { id, opened, setOpened },
  label,
  sections,
  align = "end",
}: {
  menu: SharedMenu;
  label: string;
  sections: MenuSection[];
  align?: "start" | "end";
}) {
  const panel = useRef<HTMLDivElement>(null);
  useFocusHandedOn(panel);
  // The row of a menu may leave its table, and come back later.
  useEffect(() => () => setOpened(undefined), [setOpened]);

  const items = () => [
    ...(panel.current?.querySelectorAll<HTMLElement>("[role^=menuitem]:not([aria-disabled])") ?? []),
  ];
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves when the menu opens, and not when its items change
  useLayoutEffect(() => {
    const element = panel.current;
    if (!opened || !element) return;
    if (!element.matches(":popover-open")) element.showPopover();
    placeBeside(element, opened.button, align);
    items()
      .at(opened.from === "first" ? 0 : -1)
      ?.focus();
  }, [opened]);
  useEffect(() => {
    if (!opened) return;
    const { top, left } = opened.button.getBoundingClientRect();
    const close = () => panel.current?.hidePopover();
    // The browser may tell of a scroll from before the menu opened. What counts is whether the button has moved since.
    const closeIfMoved = () => {
      const now = opened.button.getBoundingClientRect();
      if (now.top !== top || now.left !== left) close();
    };
    window.addEventListener("scroll", closeIfMoved, true);
    window.addEventListener("resize", close);
    // Items that come later make the panel larger.
    const sizes = new ResizeObserver(() => panel.current && placeBeside(panel.current, opened.button, align));
    if (panel.current) sizes.observe(panel.current);
    return () => {
      sizes.disconnect();
      window.removeEventListener("scroll", closeIfMoved, true);
      window.removeEventListener("resize", close);
    };
  }, [opened, align]);

  const close = () => {
    if (opened) closeMenu(opened.button, id);
  };
  const moveInside = (event: KeyboardEvent) => {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const target = () => {
      switch (event.key) {
        case "ArrowDown":
          return all[(at + 1) % all.length];
        case "ArrowUp":
          return all.at(at - 1);
        case "Home":
          return all[0];
        case "End":
          return all.at(-1);
        default:
          return event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey
            ? [...all.slice(at + 1), ...all.slice(0, at + 1)].find((item) =>
                item.textContent?.trim().toLowerCase().startsWith(event.key.toLowerCase()),
              )
            : undefined;
      }
    };
    if (event.key === "Escape" || event.key === "Tab") {
      if (event.key === "Escape") event.preventDefault();
      event.stopPropagation();
      return close();
    }
    const next = target();
    if (!next) return;
    event.preventDefault();
    next.focus();
  };

  return (
    <div
      ref={panel}
      id={id}
      popover="auto"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      className="fixed inset-auto m-0 max-h-[80dvh] w-max max-w-[calc(100vw-1rem)] min-w-48 overflow-y-auto rounded-xl border border-line bg-raised p-1.5 [overflow-wrap:anywhere] whitespace-normal text-ink shadow-floating"
      onToggle={(event) => event.newState === "closed" && setOpened(undefined)}
      onKeyDown={moveInside}
    >
      {opened &&
        sections.map((section) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of menu items is no set of form fields
          <div
            // A group that comes later does not take the focus from one that is there.
            key={section.label ?? section.items[0]?.label}
            role="group"
            {...(section.label && { "aria-label": section.label })}
            className="not-first:mt-1.5 not-first:border-t not-first:pt-1.5"
          >
            {section.label && (
              <p aria-hidden="true" className="px-2.5 pt-1 pb-1.5 text-xs text-ink-soft">
                {section.label}
              </p>
            )}
            {section.items.map((item) => (
              <Item key={item.label} item={item} close={close} />
            ))}
          </div>
        ))}
    </div>
  );
}

function Item({ item, close }: { item: MenuItem; close(): void }) {
  const isOn = item.isChosen ?? item.isTicked;
  const shared = {
    role: item.isChosen !== undefined ? "menuitemradio" : item.isTicked !== undefined ? "menuitemcheckbox" : "menuitem",
    tabIndex: -1,
    className: `flex min-h-8 w-full cursor-pointer items-center gap-2.5 rounded-lg px-2.5 py-1 text-left text-sm hover:bg-panel focus-visible:bg-panel focus-visible:outline-offset-[-2px] aria-disabled:cursor-not-allowed aria-disabled:opacity-50 aria-[current]:font-medium aria-[current]:text-accent forced-colors:aria-[current]:border pointer-coarse:min-h-11 ${item.isDanger ? "text-danger" : ""}`,
    ...(isOn !== undefined && { "aria-checked": isOn }),
    ...(item.isDisabled && { "aria-disabled": true }),
  };
  const content = (
    <>
      {item.icon && <Icon name={item.icon} className="size-4 opacity-80" />}
      <span lang={item.lang} className="flex-1">
        {item.label}
      </span>
      {isOn && <Icon name="check" />}
    </>
  );
  if (item.href !== undefined) {
    return (
      <Link
        {...shared}
        href={item.href}
        prefetch={false}
        aria-current={item.isCurrent ? "page" : undefined}
        onClick={close}
      >
        {content}
      </Link>
    );
  }
  return (
    <button
      {...shared}
      type="button"
      onClick={() => {
        if (item.isDisabled) return;
        if (item.isTicked !== undefined) return item.onSelect?.();
        // The focus returns to the button first. A dialog that opens now returns it there later.
        close();
        item.onSelect?.();
      }}
    >
      {content}
    </button>
  );
}
