import { formatMoney } from '../../money/money.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'

// 500.00 - 400.00 + 0.66 + 0.67 = 101.33: two days of 20.00 over 30 days, in whole cents.
const ENTRIES = [
  { label: 'Profit of day 2', minor: 67n, stone: 'w-16 -rotate-3' },
  { label: 'Profit of day 1', minor: 66n, stone: 'w-24 rotate-2' },
  { label: 'Investment opened', minor: -40_000n, stone: 'w-32 -rotate-1' },
  { label: 'Deposit approved', minor: 50_000n, stone: 'w-40' },
] as const
const TONES = ['bg-[var(--stone-3)]', 'bg-[var(--stone-2)]', 'bg-[var(--stone-1)]'] as const

export function Hero() {
  return (
    <section className="mx-auto grid max-w-6xl items-center gap-12 px-5 pt-10 pb-20 lg:grid-cols-[1.1fr_1fr] lg:pt-20 lg:pb-28">
      <div className="grid gap-6">
        <h1 className="max-w-xl font-semibold font-serif text-40 tracking-tight">
          Every balance rests on entries that nobody can take away.
        </h1>
        <p className="max-w-lg text-20 text-muted">
          Cairn is an investment platform that keeps its books in a log that only grows. What you
          own is what its entries add up to.
        </p>
        <div className="flex flex-wrap gap-3">
          <ButtonLink to="/users/register" look="primary" size="large">
            Start Investing
          </ButtonLink>
          <ButtonLink to="/users/login" size="large">
            Login
          </ButtonLink>
        </div>
      </div>
      <Stack />
    </section>
  )
}

function Stack() {
  const sum = ENTRIES.reduce((total, { minor }) => total + minor, 0n)
  return (
    <figure className="rounded-card border border-line bg-surface p-5 sm:p-8">
      <figcaption className="mb-6 flex items-baseline justify-between gap-4 border-line border-b pb-4">
        <span className="text-14 text-muted">An example: four entries, one balance</span>
        <span className="tabular font-semibold text-28 tracking-tight">{formatMoney(sum)}</span>
      </figcaption>
      <ol className="grid gap-1.5">
        {ENTRIES.map(({ label, minor, stone }, index) => (
          <li key={label} className="grid grid-cols-[10rem_1fr] items-center gap-4 sm:gap-8">
            <span aria-hidden="true" className="flex justify-center">
              <span
                className={cx('h-10 rounded-full', stone, TONES[Math.min(index, 2)] ?? TONES[2])}
              />
            </span>
            <span className="flex flex-col justify-between gap-x-3 text-14 sm:flex-row">
              <span>{label}</span>
              <span className="tabular text-muted">
                {minor > 0n ? '+' : '\u2212'}
                {formatMoney(minor > 0n ? minor : -minor)}
              </span>
            </span>
          </li>
        ))}
      </ol>
      <p className="mt-6 border-line border-t pt-4 text-12 text-muted">
        An entry is never edited and never removed. A mistake is corrected by another entry, and
        both stay.
      </p>
    </figure>
  )
}
