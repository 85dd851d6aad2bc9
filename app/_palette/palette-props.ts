import type { Theme } from "@/app/_theme/theme";
import type { IconName } from "@/components/icon";

/** The longest text that can be searched for. */
export const MAX_LENGTH = 128;

/** A page of the dashboard. */
interface PageLink {
  href: string;
  /** In the language of the reader. */
  label: string;
  icon: IconName;
}

export interface PaletteProps {
  email: string;
  theme: Theme;
  pages: PageLink[];
  /** What was typed before the palette was there. */
  initialText: string;
  onHelp(): void;
  onClose(): void;
}

export interface HelpProps {
  onClose(): void;
}
