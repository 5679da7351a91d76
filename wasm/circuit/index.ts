// Functions for the witness code of circom 2: each takes the place of the function with its name.
export { Fr_F1m_fromMontgomery, Fr_F1m_mul, Fr_F1m_square, Fr_F1m_toMontgomery } from '../generated/circuit-product';
export { inverse as Fr_int_inverseMod } from './inverse';
export {
  add as Fr_F1m_add,
  copyNumbers,
  isEqual as Fr_eqR,
  isGreater as Fr_gtR,
  isNegative as Fr_isNegative,
  subtract as Fr_F1m_sub,
  toInt as Fr_toInt,
} from './numbers';
export {
  addNumbers as Fr_add,
  equalNumbers as Fr_eq,
  isTrue as Fr_isTrue,
  lessNumbers as Fr_lt,
  multiplyNumbers as Fr_mul,
  subtractNumbers as Fr_sub,
} from './operators';
export { copyWitness } from './witness';
