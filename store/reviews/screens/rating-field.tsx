import { type ChangeEvent, type ComponentProps, useId } from 'react'
import type { RefCallBack } from 'react-hook-form'
import { maxRating } from '#store/constants.ts'
import { Icon } from '#web/icon.tsx'

const ratingLabels = ['poor', 'weak', 'fair', 'good', 'excellent']
const ratingOptions = Array.from({ length: 2 * maxRating }, (_, index) => `${(index + 1) / 2}`)

/** The option for a rating; '' if there is none, since the API accepts any number. */
export const ratingToFieldValue = (rating: number): string => ratingOptions.find((half) => Number(half) === rating) ?? ''

type RatingFieldProps = {
  legend: string
  /** the lowest rating that is offered */
  lowest?: number
  field: { value: string | number; ref: RefCallBack; onChange: (event: ChangeEvent) => void }
  error: string | undefined
  /** another rating was chosen while there is an error */
  onCorrected: () => void
}

/** Radio buttons for whole ratings and a select that also has halves. Both edit the same field. */
export function RatingField({ legend, lowest = 0.5, field, error, onCorrected }: RatingFieldProps) {
  const id = useId()

  const handleChange = (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => {
    field.onChange(event)
    if (error) onCorrected()
  }

  return (
    <fieldset className="flex flex-col gap-2" aria-describedby={error && `${id}-error`}>
      <legend className="mb-1 font-medium">{legend}</legend>
      <div className="grid grid-cols-1 gap-2 sm:grid-cols-[repeat(4,1fr)_auto]">
        {ratingLabels.map((word, place) => (
          <RatingRadio
            key={word}
            ref={place === 0 ? field.ref : undefined}
            name={id}
            rating={place + 1}
            word={word}
            checked={field.value === `${place + 1}`}
            onChange={handleChange}
            isInvalid={Boolean(error)}
          />
        ))}
      </div>
      <label htmlFor={id} className="mt-1">
        As a figure, halves allowed
      </label>
      <select
        id={id}
        value={field.value}
        onChange={handleChange}
        aria-invalid={error ? true : undefined}
        aria-describedby={error && `${id}-error`}
        className="figures min-h-11 w-full rounded border border-edge bg-panel px-3 py-2 text-base text-ink hover:border-ink aria-invalid:border-2 aria-invalid:border-bad"
      >
        <option value="">Choose</option>
        {ratingOptions
          .filter((half) => Number(half) >= lowest)
          .map((half) => (
            <option key={half} value={half}>
              {half} out of {maxRating}
            </option>
          ))}
      </select>
      {error && (
        <p id={`${id}-error`} className="flex items-start gap-1.5 text-sm font-medium text-bad">
          <Icon name="error" className="size-5" />
          {error}
        </p>
      )}
      <p className="text-sm text-soft">Required. Low ratings are shown as quickly as high ones.</p>
    </fieldset>
  )
}

type RatingRadioProps = Pick<ComponentProps<'input'>, 'ref' | 'name' | 'checked' | 'onChange'> & {
  rating: number
  word: string
  isInvalid: boolean
}

function RatingRadio({ ref, name, rating, word, checked, onChange, isInvalid }: RatingRadioProps) {
  return (
    <label
      className={`flex min-h-11 items-center gap-2 rounded border bg-panel px-3 py-2 sm:flex-col sm:px-2 sm:text-center hover:border-ink has-checked:border-leaf has-checked:bg-tint ${isInvalid ? 'border-bad' : 'border-edge'}`}
    >
      <input
        ref={ref}
        type="radio"
        name={name}
        value={rating}
        checked={checked}
        onChange={onChange}
        required
        className="size-5 shrink-0 accent-leaf"
      />
      <span>
        <span className="figures">{rating}</span> {word}
      </span>
    </label>
  )
}
