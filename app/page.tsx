export default function HomePage() {
  return <main>Allowance</main>;
}
