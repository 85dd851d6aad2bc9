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
  "faq-bot",
  "release-notes",
  "transcripts",
  "price-watch",
  "onboarding",
  "code-review",
  "meeting-notes",
  "fraud-check",
  "客服机器人",
  "夜间批处理",
  "知识库问答",
  "合同审阅",
  "商品文案",
  "周报生成",
] as const;
const STAGES = ["production", "staging", "development", "ci", "batch"] as const;
const CHINESE_STAGES = ["生产", "测试", "开发", "预发布"] as const;
const REGIONS = ["cn-north", "cn-east", "eu", "us"] as const;
const PEOPLE = [
  "Mei Chen",
  "Jonas Weber",
  "Amina Diallo",
  "Li Wei",
  "Sofía Ruiz",
  "Tom Okafor",
  "Olga Petrova",
] as const;
const CHINESE_PEOPLE = ["张敏", "王磊", "陈思远", "刘洋"] as const;
const PLACES = ["laptop", "notebook", "workshop", "prototype"] as const;
const CHINESE_PLACES = ["笔记本", "实验", "演示"] as const;
/** So many keys are told apart by words. The others have a number too. */
const WITHOUT_NUMBER = 200;

/** The name of a group; each number has another. */
export function groupName(n: number): string {
  const purpose = PURPOSES[Math.floor(n / TEAMS.length) % PURPOSES.length];
  const round = Math.floor(n / (TEAMS.length * PURPOSES.length));
  return `${TEAMS[n % TEAMS.length]}: ${purpose}${round === 0 ? "" : ` ${round + 1}`}`;
}

/** The description of a group. It may be empty. */
export function groupDescription(random: Random): string {
  return random.pick(DESCRIPTIONS);
}

/** The name of a key: of a service, or of a person. @param place its number. */
export function keyName(random: Random, place: number): string {
  const number = place < WITHOUT_NUMBER ? "" : `-${random.whole(1, 99)}`;
  if (random.chance(0.12)) {
    return random.chance(0.35)
      ? `${random.pick(CHINESE_PEOPLE)}的${random.pick(CHINESE_PLACES)}${number}`
      : `${random.pick(PEOPLE)}, ${random.pick(PLACES)}${number}`;
  }
  const service = random.pick(SERVICES);
  const isChinese = /[^ -~]/.test(service);
  const stage = random.pick(isChinese ? CHINESE_STAGES : STAGES);
  const region = random.chance(0.4) ? `-${random.pick(REGIONS)}` : "";
  return `${service}-${stage}${region}${number}`;
}
