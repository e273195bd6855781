import { z } from 'zod'
import { createRequiredTextField, createWholeNumberField, Flag } from './fields.ts'
import { MoneyOut, PercentOut, parseAmount, parsePercent } from './money.ts'

/** The place where a setting is stored: the gateway's database, or the ledger (as a money rule). */
export type Home = 'site' | 'ledger'
export type Control =
  | 'switch'
  | 'whole'
  | 'percent'
  | 'money'
  | 'text'
  | 'email'
  | 'url'
  | 'select'
  /** The settings page has a separate component for this setting. */
  | 'custom'

export interface About<H extends Home, R extends boolean> {
  home: H
  /** False if a request may omit the setting. An omitted setting keeps its value. */
  isRequired: R
  /** The heading on the settings page under which the setting appears. */
  section: string
  label: string
  /** The labels of the parts, if the value is an object. Each part has a field of its own. */
  parts?: Readonly<Record<string, string>>
  hint?: string
  /** The kind of change that weakens a control; omitted if no change weakens a control. */
  weakenedBy?: Weakening
}

/**
 * The kind of change that weakens a control. `raising` includes clearing a limit, because an empty
 * limit means unlimited. `widening` is for lists: more entries allow more, and an empty list allows
 * everything. `allowing more referrals` increases the debt of the operator.
 */
export type Weakening =
  | 'switching on'
  | 'switching off'
  | 'raising'
  | 'lowering'
  | 'widening'
  | 'choosing disclose'
  | 'allowing more referrals'
  | 'any change'

/**
 * Describes one setting. The form, answer, default, page field and documentation of the setting are
 * derived from this description.
 */
export interface Setting<
  Form extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
  H extends Home = Home,
  R extends boolean = boolean,
> extends About<H, R> {
  /** The schema that parses the value in a request. */
  form: Form
  answer: Answer
  control: Control
  /**
   * The value until an administrator saves another value. Omitted for a setting that the ledger
   * stores.
   */
  initial?: z.infer<Answer>
  /**
   * The initial value in the demo. It is set only if the demo needs a value other than `initial`.
   */
  initialInDemo?: z.infer<Answer>
  /** True if the value may be empty. */
  isOptional?: boolean
  /** The values of a `select`, with their labels. */
  options?: () => readonly (readonly [value: string, label: string])[]
  /** True if the field has the full width of the page. */
  isWide?: boolean
}
type Initial<Value> = { initial?: Value; initialInDemo?: Value }

/** Returns its argument. The call only lets TypeScript infer the types. */
export function defineSetting<
  Form extends z.ZodType,
  Answer extends z.ZodType,
  H extends Home,
  R extends boolean,
>(described: Setting<Form, Answer, H, R>): Setting<Form, Answer, H, R> {
  return described
}

export function defineFlag<H extends Home, R extends boolean>(
  about: About<H, R> & Initial<boolean>,
) {
  return defineSetting({ ...about, form: Flag, answer: z.boolean(), control: 'switch' })
}

export function defineWholeNumber<H extends Home, R extends boolean>({
  min,
  max,
  ...about
}: About<H, R> & Initial<number> & { min: number; max: number }) {
  // Error messages use the name without the unit in brackets.
  const form = createWholeNumberField(about.label.replace(/ \(.*\)$/, ''), { min, max })
  return defineSetting({ ...about, form, answer: z.int(), control: 'whole' })
}

export function defineText<H extends Home, R extends boolean>({
  charactersMax,
  ...about
}: About<H, R> & Initial<string> & { charactersMax: number }) {
  const form = createRequiredTextField(about.label, charactersMax)
  return defineSetting({ ...about, form, answer: z.string(), control: 'text' })
}

const numeric = z.union([z.number(), z.string()], 'Enter a number')

const Fee = numeric.transform((value, context): number => {
  const ppm = parsePercent(value)
  if (ppm !== null && ppm <= 100_000 && ppm % 1_000 === 0) return ppm
  context.addIssue('Enter a percentage from 0 to 10 with at most one decimal')
  return z.NEVER
})

/** Describes a percentage from 0 to 10. The parsed value is in parts per million. */
export function defineFee<H extends Home, R extends boolean>(about: About<H, R>) {
  const hint = '0 to 10, in steps of 0.1'
  return defineSetting({ ...about, hint, form: Fee, answer: PercentOut, control: 'percent' })
}

const Minimum = numeric.transform((value, context): bigint => {
  const minor = parseAmount(value)
  if (minor !== null && minor >= 100n) return minor
  context.addIssue('Enter an amount of at least 1')
  return z.NEVER
})

/**
 * Describes an amount of at least 1.00 in the currency of the ledger. The parsed value is in minor
 * units.
 */
export function defineMinimum<H extends Home, R extends boolean>(about: About<H, R>) {
  return defineSetting({ ...about, form: Minimum, answer: MoneyOut, control: 'money' })
}

const Threshold = z
  .union([z.number(), z.string(), z.null()], 'Enter an amount')
  .transform((value, context): bigint | null => {
    if (value === null || value === '') return null
    const minor = parseAmount(value)
    if (minor !== null && minor > 0n) return minor
    context.addIssue('Enter an amount greater than zero, or leave the field empty')
    return z.NEVER
  })

/** Describes an amount above zero, or null. The parsed value is in minor units. */
export function defineThreshold<H extends Home, R extends boolean>(about: About<H, R>) {
  const answer = MoneyOut.nullable()
  return defineSetting({ ...about, form: Threshold, answer, control: 'money', isOptional: true })
}

const Tokens = <Token extends z.ZodType>(token: Token, max: number, noun: string) =>
  z
    .array(token, 'must be a list')
    .max(max, `At most ${max} ${noun}`)
    .transform((tokens) => [...new Set(tokens)])

/** Describes a list of texts without duplicates. */
export function defineList<Token extends z.ZodType, H extends Home, R extends boolean>(
  about: About<H, R> & Initial<string[]> & { of: Token; max: number; noun: string },
) {
  const { of, max, noun, ...rest } = about
  const form = Tokens(of, max, noun)
  return defineSetting({ ...rest, form, answer: z.array(z.string()), control: 'custom' })
}

/** The properties of a required setting that the gateway stores. */
export const site = { home: 'site', isRequired: true } as const
export const optionalSite = { home: 'site', isRequired: false } as const
/** The properties of a required setting that the ledger stores as a money rule. */
export const ledger = { home: 'ledger', isRequired: true } as const
export const optionalLedger = { home: 'ledger', isRequired: false } as const

export type Group = Readonly<Record<string, Setting>>
type FormShape<G extends Group> = {
  [Name in keyof G]: G[Name]['isRequired'] extends true
    ? G[Name]['form']
    : z.ZodOptional<G[Name]['form']>
}
type AnswerShape<G extends Group> = { [Name in keyof G]: G[Name]['answer'] }
type StoredShape<G extends Group> = {
  [Name in keyof G as G[Name]['home'] extends 'site' ? Name : never]: G[Name]['answer']
}

/** Returns the schemas of the request, by setting. */
export function getFormShape<G extends Group>(group: G): FormShape<G> {
  const entries = Object.entries(group).map(([name, { form, isRequired }]) => [
    name,
    isRequired ? form : form.optional(),
  ])
  // The cast is safe because the object has one key for each setting of `group`.
  return Object.fromEntries(entries) as FormShape<G>
}

/** Returns the schemas of the answer, by setting. */
export function getAnswerShape<G extends Group>(group: G): AnswerShape<G> {
  const entries = Object.entries(group).map(([name, { answer }]) => [name, answer])
  // The cast is safe because the object has one key for each setting of `group`.
  return Object.fromEntries(entries) as AnswerShape<G>
}

/** Returns the schemas of the settings that the gateway stores. */
export function getStoredShape<G extends Group>(group: G): StoredShape<G> {
  const entries = Object.entries(group).flatMap(([name, { answer, home }]) =>
    home === 'site' ? [[name, answer]] : [],
  )
  // The cast is safe because the object has the keys of the stored settings.
  return Object.fromEntries(entries) as StoredShape<G>
}
