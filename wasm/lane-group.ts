import { the } from './field';
import { LanePairs } from './lane-pairs';
import { Weierstrass } from './weierstrass';

/** The group over F for the bucket method in XYZZ coordinates, its bases points of `LanePairs`. */
@unmanaged
export class LaneGroup<L, F> {
  get sumSize(): usize {
    return the<Weierstrass<F>>().sumSize;
  }

  get baseSize(): usize {
    return the<LanePairs<L, F>>().pointSize;
  }

  setIdentity(r: usize): void {
    the<Weierstrass<F>>().setIdentity(r);
  }

  addBase(r: usize, a: usize, base: usize, negative: bool): void {
    the<Weierstrass<F>>().addBase(r, a, the<LanePairs<L, F>>().base(base), negative);
  }
}
