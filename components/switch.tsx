"use client";

import { Switch as HeroSwitch } from "@heroui/react/switch";

/** On or off, at once. */
export function Switch({
  label,
  isOn,
  onChange,
  isDisabled = false,
}: {
  label: string;
  isOn: boolean;
  onChange(isOn: boolean): void;
  isDisabled?: boolean;
}) {
  return (
    <HeroSwitch isSelected={isOn} onChange={onChange} isDisabled={isDisabled}>
      <HeroSwitch.Content className="min-h-6 pointer-coarse:min-h-11">
        <HeroSwitch.Control>
          <HeroSwitch.Thumb />
        </HeroSwitch.Control>
        {label}
      </HeroSwitch.Content>
    </HeroSwitch>
  );
}
