import { ButtonLink } from '../../shared/ui/button.tsx'
import { Section } from '../../shared/ui/section.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'

const STEPS = [
  {
    title: 'Create an account',
    text: 'Your details, your address, and a four-digit code that proves your e-mail.',
  },
  {
    title: 'Make a deposit',
    text: 'By bank transfer, mobile wallet or crypto wallet. You upload the receipt and a person checks it.',
  },
  {
    title: 'Choose a plan',
    text: 'You see what you pay, what comes back and on which date before you confirm.',
  },
  {
    title: 'Start earning',
    text: 'Profit is credited as the term passes, and you can withdraw what has been credited.',
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

/** Without the link on the page that it leads to. */
export function AboutTeaser({ isHere = false }: { isHere?: boolean }) {
  return (
    <Section title="Built so that it can be checked">
      <div className="grid gap-6 lg:grid-cols-2">
        <p className="text-16 text-muted">
          Most platforms keep a number per customer and update it. Cairn keeps none. Every deposit,
          purchase, credit and payout is written as a balanced set of postings that add up to zero,
          and a balance is only what those postings add up to.
        </p>
        <div className="grid content-start gap-4">
          <p className="text-16 text-muted">
            The log is append-only: the database itself refuses to change or to delete a line, and
            each line is part of a hash tree, so a missing one would show.
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
          <h2 className="font-semibold font-serif text-28">Begin with the first stone.</h2>
          <p className="text-16">An account costs nothing and commits you to nothing.</p>
        </div>
        <ButtonLink to="/users/register" size="large">
          Get Started Now
        </ButtonLink>
      </div>
    </section>
  )
}
