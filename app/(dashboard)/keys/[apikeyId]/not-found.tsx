import { MissingKey } from "./_components/missing-key";

export default function NotFound() {
  return <MissingKey />;
}
