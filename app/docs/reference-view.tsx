// The order of the imports matters: our style sheet must override the style sheets of the component.
import { ApiReferenceReact } from "@scalar/api-reference-react";
import "@scalar/api-reference-react/style.css";
import "./reference.css";
import type { ComponentProps } from "react";

// The page must not contact another host: no fonts, telemetry, proxy, assistant or hosted client.
const configuration = {
  url: "/openapi.json",
  authentication: { preferredSecurityScheme: "defaultKey" },
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  // The reader chooses the theme for all pages in the settings.
  hideDarkModeToggle: true,
  defaultOpenAllTags: true,
  // The heading of the page has a link to the document.
  documentDownloadType: "none",
  orderSchemaPropertiesBy: "preserve",
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
} satisfies ComponentProps<typeof ApiReferenceReact>["configuration"];

/** @param props.theme the choice of the reader. Without it, the device decides. */
export default function ReferenceView({ theme }: { theme: "light" | "dark" | undefined }) {
  return <ApiReferenceReact configuration={{ ...configuration, ...(theme && { forceDarkModeState: theme }) }} />;
}
