import { z } from 'zod'

export const PAYMENT_METHODS = ['bank', 'card', 'crypto', 'mobile', 'paypal', 'stripe'] as const
export const PaymentMethod = z.enum(PAYMENT_METHODS, 'Unknown payment method')
export type PaymentMethod = z.infer<typeof PaymentMethod>
/**
 * Methods for which a payment option can be created. The pages show all other methods as not
 * connected.
 */
export const CONNECTED_METHODS: readonly PaymentMethod[] = ['bank', 'crypto', 'mobile']
