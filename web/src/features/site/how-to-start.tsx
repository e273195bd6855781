import { ButtonLink } from '../../shared/ui/button.tsx'
import { Section } from '../../shared/ui/section.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'

const STEPS = [
  {
    title: 'Create an account',
    text: 'Enter your details and your address, and confirm your e-mail with a four-digit code.',
  },
  {
    title: 'Make a deposit',
    text: 'By bank transfer, mobile wallet or crypto wallet. You upload the receipt and an administrator reviews it.',
  },
  {
    title: 'Choose a plan',
    text: 'Before you confirm, you see the amount that you pay, the payout and its date.',
  },
  {
    title: 'Start earning',
    text: 'Profit is credited during the term, and you can withdraw credited profit.',
  },
] as const

export function HowToStart() {
  return (
    <Section title="How to get started" sunken>
      <ol className="grid gap-8 sm:grid-cols-2 lg:grid-cols-4">
        {STEPS.map(({ title, text }, index) => (
          <li key={title} className="grid content-start gap-2">
            <span aria-hidden="true" className="font-serif text-28 text-accent">
              {index + 1}
            </span>
            <h3 className="font-semibold text-16">{title}</h3>
            <p className="text-14 text-muted">{text}</p>
          </li>
        ))}
      </ol>
    </Section>
  )
}

/**
 * Introduces the records and links to the About page. `isHere` is true on that page and omits the
 * link.
 */
export function AboutTeaser({ isHere = false }: { isHere?: boolean }) {
  return (
    <Section title="Records that you can check">
      <div className="grid gap-6 lg:grid-cols-2">
        <p className="text-16 text-muted">
          Every deposit, purchase, credit and payout is recorded as a set of postings that add up to
          zero. A balance is the sum of its postings, and it can be computed again from the log at
          any time.
        </p>
        <div className="grid content-start gap-4">
          <p className="text-16 text-muted">
            The log is append-only: the database refuses to change or delete an entry. Each entry is
            part of a hash tree, so a change is detected when the log is compared with a root that
            was signed earlier.
          </p>
          {!isHere && (
            <p>
              <TextLink to="/about_us">About us</TextLink>
            </p>
          )}
        </div>
      </div>
    </Section>
  )
}

export function CallToAction() {
  return (
    <section className="border-line border-t bg-accent text-on-accent">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-6 px-5 py-14">
        <div className="grid gap-1">
          <h2 className="font-semibold font-serif text-28">Open an account.</h2>
          <p className="text-16">An account is free and has no obligations.</p>
        </div>
        <ButtonLink to="/users/register" size="large">
          Get Started Now
        </ButtonLink>
      </div>
    </section>
  )
}
