// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/reserved_words.h"

namespace warpwright {
namespace {

QSet<QString> wordsOf(const char *text) {
    const QStringList words = QString::fromLatin1(text).split(QLatin1Char(' '));
    return {words.begin(), words.end()};
}

const char *const languageWords =
    "float double int bool long short char auto const new delete this class struct union enum "
    "template typename operator return for while if else do switch case default break public "
    "private signed unsigned goto static void and or not xor using namespace half vector exp log "
    "threadIdx blockIdx volatile alignas alignof sizeof catch try throw friend inline extern register "
    "explicit "
    "export mutable asm constexpr decltype noexcept nullptr true false typeid virtual protected dim3 min max "
    "abs "
    "floorf fmaxf fabsf expf exp2f logf log1pf sqrtf uint4";

// Parameters, counters and helper functions.
const char *const kernelWords =
    "row c sum maximum minimum sigmoid fastDivide fastSqrt first config stream cached step firstColumn "
    "timeStep stage turn scatterAdd scatterStore scatterMax scatterMin scatterMaxFloat scatterMinFloat "
    "oneTimeStep computeRows vec value unclampedRow unclamped wanted partials carry segment tile next "
    "more less firstVector clusterThread staged combine batch batches group distance lane warp values "
    "targetRow tileColumn tileRow position part parts running largest smallest product total inner from "
    "before other blocks block entry neededBlocks top power partMean count column columns rows most one "
    "device smCount check forward guard is result tap second scale key gridThreads end to launch at "
    "digamma fastSin sine fastCos cosine shifted i j some process isInBounds isThere near far bit "
    "candidate flipMask flipMaskOf isAtLeast misalignment storePartialVec vectors reversedBlock "
    "waitForPreviousKernel launchEarly thread now ahead begin later prefetch ask meet isFullVector "
    "element elements scanBlockVectors scanOverY storePartialVecReversed firstRow rowInBlock inputRow "
    "blocksPerSm orderedKey logAddExp logAddExpDouble logSumExp fastErf fastExp fastLog fastExpm1 "
    "expBelowMax expOfDecay fastTanh fastLog1p log1pExp sinSmallAngle isLargeAngle cosSmallAngle "
    "sinReduced reduceModPi convolution toHalf toFloat toBFloat16 pair pairBetween elementOf splat memcpy "
    "fastPow floorMod floorModInt sigmoidDouble inverseErf reduceOverY reduceBlock reduceCluster "
    "scanBlock syncCluster storeWarpPartial combineWarpPartials combineMoments blockPartials";

const char *const callWords =
    "a accum accumulate across alignmentOf alpha apart arrive b batch behind below beta bits box branches "
    "branchStream buffer capture captured channel chunk column columnInPart columns copy d data deep depth "
    "descA descB describe device down emplace empty emptyBarrier entry execute filter filterMap filterOf "
    "filters find first firstChannel firstColumn firstFilter firstPlane firstPosition firstRow firstUnit "
    "flatPosition found fragment from full fullBarrier gate gather get1 get2 get3 get4 given graph group "
    "hasLayout height held held1 held2 held3 held4 high i image imageMap images in index inner innerOffset "
    "inRound inside isColumnInBounds isRow iteration j job k key lane last launch launches launchGraph left "
    "line load1 load2 loadA loadB loaded low lower m makeFilterMap makeImageMap makePlan makeTensorMap map "
    "materialize mbarrierArrive mbarrierExpectTx mbarrierInit mbarrierWait memory mine mirrored "
    "mnMajorDescriptor multiply multiply1 multiply2 multiply3 multiply4 multiply5 multiply6 multiply7 "
    "multiply8 nearestInside neighbours none number odd of offset ofRow1 ofRow2 ofRow3 ofRow4 on one other "
    "otherEnd otherReceived0 otherReceived1 others ours out outColumn outPlane outRow own pack pack2 pack3 "
    "pack4 packed perColumn1 perColumn2 perColumn3 perDevice perRow1 phase piece place places plan plane "
    "plans "
    "position positionOf positions prefetch processors r read1 read10 read11 read12 read2 read3 read4 read5 "
    "read6 read7 read8 read9 received0 received1 result results right rounded rowBase rowOf rowOffset rows "
    "second segment set shared shift side sizes smemA smemB smemDescriptor smemFilters smemPixels "
    "sourcePlane "
    "square squares stage staged start status step streams strides strip sum sums syncWarpgroup taken "
    "tallRows "
    "tap tapD tapW tapWeight target thread tile tileCoord tileIndex tileOffset timeStep tmaLoad2d tmaLoad3d "
    "tmaLoadFilters tmaLoadIm2col to top transpose turn turned unit upper values vector1 vector2 vector3 "
    "vector4 w warp warpFirstRow warpgroup warpgroupM warpgroupN warpK warpN warpRow wgmma wgmmaCommitGroup "
    "wgmmaFence wgmmaHalf width zero";

const char *const scoreWords =
    "at attention base block blockRow fastExp2 firstKey forEachScore fragmentB high i inverse inverseSum "
    "keys "
    "keyTiles largest lastKey lastRow ldmatrixX4 ldmatrixX4Transposed loadQuery logit low memory mma most "
    "multiply n newMax next nextTile other packPair part parts place probabilities queries query rescale "
    "result0 result1 roundToTf32 rowMax rowSum scaledMax score scores second shared some step t valueTiles "
    "warpLastRow weight weights";

const char *const orderWords =
    "bits c entries entry exchange far isBefore isMinusZero keyOf lane low mask mine near run shared sortRow "
    "theirs value valueOf wanted";

} // namespace

const QSet<QString> &reservedWords() {
    static const QSet<QString> words = wordsOf(languageWords) + wordsOf(kernelWords);
    return words;
}

const QSet<QString> &structuredOpWords() {
    static const QSet<QString> words = wordsOf(callWords);
    return words;
}

const QSet<QString> &attentionWords() {
    static const QSet<QString> words = wordsOf(scoreWords);
    return words;
}

const QSet<QString> &sortWords() {
    static const QSet<QString> words = wordsOf(orderWords);
    return words;
}

} // namespace warpwright
