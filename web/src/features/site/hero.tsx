import { ButtonLink } from '../../shared/ui/button.tsx'
import { CoveragePicture } from './coverage-picture.tsx'

export function Hero() {
  return (
    <section className="mx-auto grid max-w-6xl items-center gap-12 px-5 pt-10 pb-20 lg:grid-cols-[1.1fr_1fr] lg:pt-20 lg:pb-28">
      <div className="grid gap-6">
        <h1 className="max-w-xl font-semibold font-serif text-40 tracking-tight">
          Every balance is the sum of recorded entries.
        </h1>
        <p className="max-w-lg text-20 text-muted">
          Cairn is an investment platform with an append-only ledger. You can verify the receipts of
          your transactions yourself.
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
      <CoveragePicture />
    </section>
  )
}
