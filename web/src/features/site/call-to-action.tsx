import { ButtonLink } from '../../shared/ui/button.tsx'

export function CallToAction() {
  return (
    <section className="border-line border-t bg-band text-on-band">
      <div className="mx-auto flex min-h-40 max-w-site flex-wrap items-center justify-between gap-6 px-5 py-8">
        <div className="grid gap-1">
          <h2 className="font-semibold font-serif text-28">Open a free account</h2>
          <p className="text-16">Profit is not guaranteed.</p>
        </div>
        <ButtonLink
          to="/users/register"
          size="large"
          className="bg-on-band! text-band! outline-on-band!"
        >
          Get Started Now
        </ButtonLink>
      </div>
    </section>
  )
}
