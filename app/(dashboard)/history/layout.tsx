import { layoutWithWords } from "@/app/_i18n/layout-with-words";

// Changes of prices stand in tables, as on the page of models.
export default layoutWithWords("history", "models");
