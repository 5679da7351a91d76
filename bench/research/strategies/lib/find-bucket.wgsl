// The first bucket, of those from 0 to `end` - 1, whose run begins behind entry `entry` of the sorted list or at it; `end` if there is none.
fn first_bucket_from(entry: u32, end: u32) -> u32 {
  var low = 0u;
  var high = end;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (offsets[middle] < entry) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  return low;
}

// The bucket, of those from 0 to `end` - 1, that entry `entry` of the sorted list belongs to.
fn bucket_of_entry(entry: u32, end: u32) -> u32 {
  return first_bucket_from(entry + 1u, end) - 1u;
}
