// The order counts: the component brings style sheets of its own, which the next one has to win against.
import { ApiReferenceReact } from "@scalar/api-reference-react";
import "@scalar/api-reference-react/style.css";
import "./reference.css";
import type { ComponentProps } from "react";

// Nothing here may reach another host: no fonts, telemetry, proxy, assistant, or hosted client.
const configuration = {
  url: "/openapi.json",
  authentication: { preferredSecurityScheme: "defaultKey" },
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  // The colours are chosen for all pages at once.
  hideDarkModeToggle: true,
  defaultOpenAllTags: true,
  // The head of the page leads to it.
  documentDownloadType: "none",
  orderSchemaPropertiesBy: "preserve",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
} satisfies ComponentProps<typeof ApiReferenceReact>["configuration"];

/** @param props.theme chosen by the reader; the system decides without it. */
export default function ReferenceView({ theme }: { theme: "light" | "dark" | undefined }) {
  return <ApiReferenceReact configuration={{ ...configuration, ...(theme && { forceDarkModeState: theme }) }} />;
}
