import { MissingGroup } from "./_components/missing-group";

export default function NotFound() {
  return <MissingGroup />;
}
