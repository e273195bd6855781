import { ButtonLink, LARGE_LINK } from '../../shared/ui/button.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { CoverageBar } from './coverage-bar.tsx'
import { ProductPicture } from './product-picture.tsx'

export function Hero() {
  return (
    <div className="mx-auto grid max-w-site gap-12 px-5 pt-8 pb-12 lg:pt-14">
      <section className="grid items-center gap-12 lg:grid-cols-[5fr_7fr]">
        <div className="grid content-start gap-6">
          <h1 className="font-semibold font-serif text-36 tracking-tight max-sm:text-wrap sm:text-40 xl:text-48">
            See the record behind every dollar.
          </h1>
          <p className="max-w-lg text-20 text-muted">
            Fixed-term plans on a ledger that you can verify. You can lose all the money you invest.
          </p>
          <div className="flex flex-wrap items-center gap-3">
            <ButtonLink to="/users/register" look="primary" size="large">
              Start Investing
            </ButtonLink>
            <a href="#check" className={LARGE_LINK}>
              Check a record
            </a>
            <TextLink to="/users/login" className="py-3 text-16 sm:px-2">
              Login
            </TextLink>
          </div>
        </div>
        <ProductPicture />
      </section>
      <CoverageBar />
    </div>
  )
}
