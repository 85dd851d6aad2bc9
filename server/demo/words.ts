import type { Random } from "./random";

const TEAMS = [
  "Research",
  "Customer support",
  "Search",
  "Billing",
  "Mobile",
  "Data platform",
  "Marketing",
  "Legal",
  "Growth",
  "Quality",
  "Localisation",
  "Security",
  "Education",
  "Finance",
  "Design",
  "Partners",
  "Operations",
  "客服",
  "内容",
  "数据平台",
] as const;
const PURPOSES = [
  "assistant",
  "summaries",
  "translation",
  "code review",
  "embeddings",
  "chat",
  "evaluation",
  "drafting",
  "extraction",
  "experiments",
] as const;
const DESCRIPTIONS = [
  "",
  "Ask the team lead before raising a limit.",
  "Reviewed every quarter.",
  "Keys of services; people have keys of their own.",
  "Trial until the end of the year.",
  "Costs go to the product's own budget.",
  "每季度复核一次额度。",
] as const;
const SERVICES = [
  "checkout",
  "ticket-bot",
  "crawler",
  "indexer",
  "newsletter",
  "mail-sorter",
  "contract-reader",
  "catalogue",
  "faq",
  "release-notes",
  "transcripts",
  "price-watch",
  "onboarding",
  "夜间批处理",
  "知识库",
] as const;
const STAGES = ["production", "staging", "development", "ci", "batch"] as const;
const PEOPLE = [
  "Mei Chen",
  "Jonas Weber",
  "Amina Diallo",
  "Li Wei",
  "Sofía Ruiz",
  "Tom Okafor",
  "张敏",
  "Olga Petrova",
] as const;
const PLACES = ["laptop", "notebook", "workshop", "prototype"] as const;

/** The name of a group; each number has another. */
export function groupName(n: number): string {
  const purpose = PURPOSES[Math.floor(n / TEAMS.length) % PURPOSES.length];
  const round = Math.floor(n / (TEAMS.length * PURPOSES.length));
  return `${TEAMS[n % TEAMS.length]}: ${purpose}${round === 0 ? "" : ` ${round + 1}`}`;
}

export function groupDescription(random: Random): string {
  return random.pick(DESCRIPTIONS);
}

/** The name of a key: of a service, or of a person. */
export function keyName(random: Random): string {
  if (random.chance(0.15)) return `${random.pick(PEOPLE)}, ${random.pick(PLACES)}`;
  return `${random.pick(SERVICES)}-${random.pick(STAGES)}-${random.whole(1, 99)}`;
}
