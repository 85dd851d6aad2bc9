"use client";

import { type ReactNode, useId } from "react";
import { buttonStyle, WRAPPING } from "./button-style";
import { Icon } from "./icon";

/**
 * A button that takes a file.
 * @param accept the types that are offered first, as `<input>` has them.
 */
export function FileButton({
  accept,
  onFile,
  children,
}: {
  accept: string;
  onFile(bytes: ArrayBuffer, name: string): void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <label
      htmlFor={id}
      className={`${buttonStyle("secondary", "small")} ${WRAPPING.small} has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent`}
    >
      <Icon name="upload" />
      {children}
      <input
        id={id}
        type="file"
        accept={accept}
        className="sr-only"
        onChange={async ({ target }) => {
          const [file] = target.files ?? [];
          const bytes = await file?.arrayBuffer();
          // The same file can be chosen again after it was changed.
          target.value = "";
          if (file && bytes) onFile(bytes, file.name);
        }}
      />
    </label>
  );
}
