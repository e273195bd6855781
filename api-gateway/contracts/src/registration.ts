import { z } from 'zod'
import { CodeRequested } from './code-requested.ts'
import { declareEndpoint } from './endpoint.ts'
import { declareFailure, HASHING_BUSY } from './failures.ts'
import { createOptionalTextField, createRequiredTextField, Email } from './fields.ts'
import { createNewPasswordField, PASSWORDS_DIFFER, PasswordConfirm } from './passwords.ts'

export const CODE_DIGITS = 4
export const RESEND_SECONDS = 60

export const NewPassword = createNewPasswordField('Password')

const Gender = z
  .string('Gender is required')
  .trim()
  .transform((value, context): 'Male' | 'Female' => {
    const lower = value.toLowerCase()
    if (lower === 'male') return 'Male'
    if (lower === 'female') return 'Female'
    context.addIssue('Choose a gender')
    return z.NEVER
  })

/** The registration form. The web wizard validates its fields with this schema. */
export const SignUpForm = z.strictObject({
  name: createRequiredTextField('Name', 120),
  gender: Gender,
  phone: createRequiredTextField('Phone', 32).regex(
    /^[+()\d][\d ().-]{3,30}$/,
    'Invalid phone number',
  ),
  email: Email,
  password: NewPassword,
  passwordConfirm: PasswordConfirm,
  /** The ISO code or the English name of a country. */
  country: createRequiredTextField('Country', 80),
  firstAddress: createRequiredTextField('Address', 200),
  secondAddress: createOptionalTextField('Address 2', 200),
  townCity: createOptionalTextField('Town or city', 120),
  reason: createOptionalTextField('Reason', 200),
  employmentStatus: createOptionalTextField('Employment status', 120),
  taxResidence: createOptionalTextField('Tax residence', 120),
  taxNumber: createOptionalTextField('Tax number', 60),
  /** The account id of the referrer; an unknown id is ignored. */
  refid: createOptionalTextField('Referral', 64),
})
export type SignUpForm = z.input<typeof SignUpForm>

const CodeSent = z.object({
  email: z.string(),
  /** The number of seconds until a new code may be requested. */
  retryAfter: z.int(),
  codeMinutes: z.int(),
})

export const signUp = declareEndpoint({
  method: 'POST',
  path: '/users/signup',
  access: 'anyone',
  request: z.strictObject({
    body: SignUpForm.refine((form) => form.password === form.passwordConfirm, {
      path: ['passwordConfirm'],
      message: PASSWORDS_DIFFER,
      // The password and its repetition are compared even if other fields are invalid, so that the
      // form shows all errors at once.
      when: ({ value }) =>
        z.object({ password: z.string(), passwordConfirm: z.string().min(1) }).safeParse(value)
          .success,
    }),
  }),
  status: 201,
  response: CodeSent,
  failures: [HASHING_BUSY],
})

export const verifyEmail = declareEndpoint({
  method: 'POST',
  path: '/users/verify_email',
  access: 'anyone',
  request: z.strictObject({
    body: z.strictObject({
      code: z
        .string('Please enter the complete code.')
        .trim()
        .regex(/^\d{4}$/, 'Please enter the complete code.'),
    }),
  }),
  response: z.object({ email: z.string(), status: z.enum(['pending', 'active']) }),
  failures: [
    declareFailure(400, 'CODE_WRONG', 'That code is not right. You have {tries} left.'),
    declareFailure(400, 'CODE_EXPIRED', 'This code is no longer valid. Please ask for a new code.'),
    declareFailure(400, 'CODE_EXPIRED', 'This code was already used.'),
    declareFailure(400, 'CODE_LOCKED', 'Too many wrong codes. Please ask for a new code.'),
    declareFailure(
      401,
      'NO_PENDING_CODE',
      'Please log in with your email and password to get a new code.',
    ),
  ],
})

export const resendCode = declareEndpoint({
  method: 'POST',
  path: '/users/resend_code',
  access: 'anyone',
  response: CodeRequested,
  failures: [
    declareFailure(
      401,
      'NO_PENDING_CODE',
      'This browser has no open sign-up. Please sign up again, or log in to get a new code.',
    ),
  ],
})
