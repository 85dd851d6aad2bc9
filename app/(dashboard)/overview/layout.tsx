import { layoutWithWords } from "@/app/_i18n/layout-with-words";

export default layoutWithWords("overview", "history");
